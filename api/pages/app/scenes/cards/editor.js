// @ts-check
// One card: its name, its numbers, up to three texts with blanks or in free words, and its face as players will see it.
import { html, useEffect, useState } from "../../lib/html.js";
import { language, say, t } from "../../lib/words.js";
import { Face } from "../../parts/basic.js";
import { checkTable, findSentence, readBlanks, TEXTS_OF_A_CARD, writeBlanks, writeCsv } from "./table.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {import("./table.js").Cells} Cells */
/** @typedef {(changed: Cells) => void} Change */

const AFTER = 700; // milliseconds without a change, until the card is looked at
const FREE = "*";

/** @param {{form: Schemas["CardForm"], game: string, cells: Cells, change: Change}} props */
export function Editor({ form, game, cells, change }) {
  const kind = cells.kind ?? "", columns = form.columns.filter((each) => each.kinds.includes(kind));
  /** @param {string} name */
  const enter = (name) => (/** @type {any} */ event) => change({ ...cells, [name]: event.target.value });
  return html`<form class="fields form" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <label>${t("cards_name")}<input value=${cells.name ?? ""} maxlength="60" onInput=${enter("name")} /></label>
    <label>${t("cards_name_de")}<input value=${cells.name_de ?? ""} maxlength="60" onInput=${enter("name_de")} /></label>
    <label>${t("cards_kind")}<select value=${kind} onChange=${enter("kind")}>${form.kinds.map((each) => html`<option key=${each.name} value=${each.name}>${say(each.label)}</option>`)}</select></label>
    ${columns.map((each) => html`<${Column} key=${each.name} column=${each} isNeeded=${each.needed.includes(kind)} value=${cells[each.name] ?? ""} onInput=${enter(each.name)} />`)}
    ${game !== "creature_crush" && html`<label>${t("cards_copies")}<input inputmode="numeric" value=${cells.copies ?? ""} placeholder="1" onInput=${enter("copies")} /></label>`}
    ${form.places.some((each) => each.kinds.includes(kind)) && TEXTS_OF_A_CARD.filter((n) => n === 1 || cells[`text_${n - 1}`]).map((n) => html`<${TextField} key=${n} n=${n} form=${form} kind=${kind} cells=${cells} change=${change} />`)}
    <${Preview} game=${game} cells=${cells} />
  </form>`;
}

/** @param {{column: Schemas["CardColumn"], isNeeded: boolean, value: string, onInput: (event: any) => void}} props */
function Column({ column, isNeeded, value, onInput }) {
  const label = `${say(column.label)}${isNeeded ? " *" : ""}`, isChoice = column.form === "word";
  if (isChoice || column.form === "truth") {
    const words = isChoice ? column.words : [{ name: "yes", label: { de: "ja", en: "yes" } }];
    return html`<label>${label}<select value=${value} onChange=${onInput}><option value="">–</option>${words.map((each) => html`<option key=${each.name} value=${each.name}>${say(each.label)}</option>`)}</select></label>`;
  }
  const hint = column.form === "words" ? `${t("cards_several")}: ${column.words.map((each) => say(each.label)).join(", ")}` : column.form === "numbers" ? t("cards_several") : "";
  return html`<label>${label}<input value=${value} inputmode=${column.form === "number" && !column.words.length ? "numeric" : "text"} onInput=${onInput} />${hint && html`<small class="note">${hint}</small>`}</label>`;
}

/** A text of the card: its place, and a sentence with its blanks or free words. @param {{n: number, form: Schemas["CardForm"], kind: string, cells: Cells, change: Change}} props */
function TextField({ n, form, kind, cells, change }) {
  const [isFree, setFree] = useState(false);
  const places = form.places.filter((each) => each.kinds.includes(kind)), place = cells[`when_${n}`] ?? "", written = cells[`text_${n}`] ?? "";
  const sentence = findSentence(form, written), values = readBlanks(sentence, cells[`blanks_${n}`] ?? "");
  const known = place ? [place] : places.map((each) => each.name);
  const fitting = form.sentences.filter((each) => (!each.kinds.length || each.kinds.includes(kind)) && each.places.some((name) => known.includes(name)));
  const chosen = sentence ? sentence.name : written || isFree ? FREE : "";
  /** @param {any} event */
  function choose(event) {
    const found = fitting.find((each) => each.name === event.target.value);
    setFree(event.target.value === FREE);
    change({ ...cells, [`text_${n}`]: found ? found.text.en ?? "" : "", [`blanks_${n}`]: found ? writeBlanks(Object.fromEntries(found.blanks.map((blank) => [blank.name, blank.choices[0]?.name ?? String(blank.least)]))) : "" });
  }
  return html`<fieldset class="fields"><legend>${t("cards_text", { n })}</legend>
    ${places.length > 1 && html`<label>${t("cards_place")}<select value=${place} onChange=${(/** @type {any} */ event) => change({ ...cells, [`when_${n}`]: event.target.value })}>
      <option value="">${t("cards_first_place")}</option>${places.map((each) => html`<option key=${each.name} value=${each.name}>${say(each.label)}</option>`)}</select></label>`}
    <label>${t("cards_text", { n })}<select value=${chosen} onChange=${choose}><option value="">${t("cards_no_text")}</option><option value=${FREE}>${t("cards_free")}</option>
      ${fitting.map((each) => html`<option key=${each.name} value=${each.name}>${say(each.text)}</option>`)}
      ${sentence && !fitting.includes(sentence) && html`<option value=${sentence.name}>${say(sentence.text)}</option>`}</select></label>
    ${chosen === FREE && html`<label>${t("cards_free_text")}<input value=${written} maxlength="600" onInput=${(/** @type {any} */ event) => change({ ...cells, [`text_${n}`]: event.target.value, [`blanks_${n}`]: "" })} /></label>`}
    ${sentence && html`<p class="note">${say(sentence.text)}</p>`}
    ${sentence?.blanks.map((blank) => html`<${BlankField} key=${blank.name} blank=${blank} value=${values[blank.name] ?? ""}
      onInput=${(/** @type {any} */ event) => change({ ...cells, [`blanks_${n}`]: writeBlanks({ ...values, [blank.name]: event.target.value }) })} />`)}
  </fieldset>`;
}

/** @param {{blank: Schemas["CardBlank"], value: string, onInput: (event: any) => void}} props */
const BlankField = ({ blank, value, onInput }) => html`<label><code>{${blank.name}}</code>${blank.choices.length
  ? html`<select value=${value} onChange=${onInput}>${blank.choices.map((each) => html`<option key=${each.name} value=${each.name}>${say(each.label)}</option>`)}</select>`
  : html`<input type="number" inputmode="numeric" min=${blank.least} max=${blank.most} value=${value} onInput=${onInput} />`}</label>`;

/** The card as players will see it, a moment after the last change. @param {{game: string, cells: Cells}} props */
function Preview({ game, cells }) {
  const [shown, setShown] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => cells.name && checkTable(game, writeCsv(game, { book: "my_cards", title: "x", extends: "printed" }, [cells])).then((found) => isCurrent && setShown(found), () => {}), AFTER);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [game, cells, language()]);
  const card = shown?.cards[0]?.card, errors = (shown?.errors ?? []).filter((/** @type {any} */ each) => each.row > 0);
  return html`<section class="ref stack" role="status"><h3>${t("cards_preview")}</h3>
    ${card && html`<div class="row found"><${Face} design=${{ ...card, name: say(card.name) }} game=${game} /><div class="grow"><b>${say(card.name)}</b><p>${say(card.text)}</p>${card.bad_text && html`<p>${say(card.bad_text)}</p>`}</div></div>`}
    ${errors.map((/** @type {any} */ each, /** @type {number} */ index) => html`<p key=${index} class="wrong-here">${each.column ? `${nameColumn(each.column)}: ` : ""}${each.detail}</p>`)}</section>`;
}

/** @param {string} column */
const nameColumn = (column) => column.replace("_", " ");
