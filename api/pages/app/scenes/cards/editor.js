// @ts-check
// One card: its name, its numbers, up to three texts with blanks or in free words, and its face as players will see it.
import { html, useEffect, useRef, useState } from "../../lib/html.js";
import { language, say, t } from "../../lib/words.js";
import { Face } from "../../parts/basic.js";
import { changeKind, checkTable, findSentence, normalizeCells, readBlanks, TEXTS_OF_A_CARD, writeBlanks, writeCsv } from "./table.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {import("./table.js").Cells} Cells */
/** @typedef {(changed: Cells, undo?: string) => void} Change */
/** @typedef {(column: string) => any} Wrong what is wrong with a field */

const AFTER = 700; // milliseconds without a change, until the card is looked at
const FREE = "*";

/** @param {{form: Schemas["CardForm"], game: string, head: Cells, cells: Cells, isNew: boolean, change: Change}} props */
export function Editor({ form, game, head, cells, isNew, change }) {
  const kind = cells.kind ?? "", isWritten = "card" in cells, columns = isWritten ? [] : form.columns.filter((each) => each.kinds.includes(kind)), first = useRef(/** @type {any} */ (null));
  const found = useCheck(game, head, cells), shown = new Set(["name", "name_de", "kind", "copies", "card", ...columns.map((each) => each.name)]);
  for (const n of TEXTS_OF_A_CARD) for (const name of ["when", "text", "blanks", "german"]) shown.add(`${name}_${n}`);
  const errors = (found?.errors ?? []).filter((each) => each.row > 0);
  /** @type {Wrong} */
  const wrong = (column) => errors.filter((each) => each.column === column).map((each) => html`<small class="wrong-here">${each.detail}</small>`);
  useEffect(() => { if (isNew) first.current?.focus(); }, []);
  /** @param {string} name */
  const enter = (name) => (/** @type {any} */ event) => change({ ...cells, [name]: event.target.value });
  /** Take a text as one that the program knows. @param {number} n @param {string} text */
  async function adopt(n, text) {
    const { cards } = await checkTable(game, writeCard(game, head, { ...cells, [`text_${n}`]: text, [`blanks_${n}`]: "", [`german_${n}`]: "" }));
    if (cards[0]) change(normalizeCells(form, cards[0].cells));
  }
  return html`<form class="fields form" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <label>${t("cards_name")}<input ref=${first} value=${cells.name ?? ""} maxlength="60" onInput=${enter("name")} />${wrong("name")}</label>
    <label>${t("cards_name_de")}<input value=${cells.name_de ?? ""} maxlength="60" onInput=${enter("name_de")} />${wrong("name_de")}</label>
    <label>${t("cards_kind")}<select value=${kind} onChange=${(/** @type {any} */ event) => { const changed = changeKind(form, cells, event.target.value); change(changed, Object.entries(cells).some(([name, cell]) => cell && !(name in changed)) ? t("cards_kind_changed") : ""); }}>${form.kinds.map((each) => html`<option key=${each.name} value=${each.name}>${say(each.label)}</option>`)}</select>${wrong("kind")}</label>
    <div class="pairs">${columns.map((each) => html`<${Column} key=${each.name} column=${each} isNeeded=${each.needed.includes(kind)} value=${cells[each.name] ?? ""} onInput=${enter(each.name)} wrong=${wrong} />`)}
    ${game !== "creature_crush" && html`<label>${t("cards_copies")}<input inputmode="numeric" value=${cells.copies ?? ""} placeholder="1" onInput=${enter("copies")} />${wrong("copies")}</label>`}</div>
    ${isWritten && html`<label>${t("cards_written")}<textarea rows="12" class="yaml" spellcheck=${false} autocapitalize="off" value=${cells.card} onInput=${enter("card")}></textarea>${wrong("card")}</label>
      <p class="note">${t("cards_written_note")} <button type="button" onClick=${() => { const { card: _, ...rest } = cells; change(rest, t("cards_written_gone")); }}>${t("cards_fields")}</button></p>`}
    ${!isWritten && form.places.some((each) => each.kinds.includes(kind)) && TEXTS_OF_A_CARD.filter((n) => n === 1 || cells[`text_${n - 1}`] || cells[`text_${n}`]).map((n) => html`<${TextField} key=${n} n=${n} form=${form} kind=${kind} cells=${cells} change=${change} wrong=${wrong} free=${found?.texts.free.find((each) => each.column === `text_${n}`)} known=${findSentence(form, found?.cards[0]?.cells[`text_${n}`] ?? "")} adopt=${adopt} />`)}
    <section class="ref stack" role="status"><h3>${t("cards_preview")}</h3><${Preview} game=${game} card=${found?.cards[0]?.card} />
      ${errors.filter((each) => !shown.has(each.column) || (/^(text|when)_[23]$/.test(each.column) && !cells[`text_${Number(each.column.at(-1)) - 1}`])).map((each, index) => html`<p key=${index} class="wrong-here">${each.heading ? `${each.heading}: ` : ""}${each.detail}</p>`)}</section>
  </form>`;
}

/** A table with one card, which comes to the cards of the game. @param {string} game @param {Cells} head @param {Cells} cells */
const writeCard = (game, head, cells) => writeCsv(game, { book: "my_cards", title: "x", extends: "printed", language: head.language ?? "" }, [cells]);

/** @param {{column: Schemas["CardColumn"], isNeeded: boolean, value: string, onInput: (event: any) => void, wrong: Wrong}} props */
function Column({ column, isNeeded, value, onInput, wrong }) {
  const label = `${say(column.label)}${isNeeded ? " *" : ""}`, isChoice = column.form === "word";
  if (isChoice || column.form === "truth") {
    const words = isChoice ? column.words : [{ name: "yes", label: { de: "ja", en: "yes" } }];
    return html`<label>${label}<select value=${value} onChange=${onInput}><option value="">–</option>${words.map((each) => html`<option key=${each.name} value=${each.name}>${say(each.label)}</option>`)}</select>${wrong(column.name)}</label>`;
  }
  const hint = column.form === "words" ? `${t("cards_several")}: ${column.words.map((each) => say(each.label)).join(", ")}` : column.form === "numbers" ? t("cards_several") : "";
  return html`<label>${label}<input value=${value} inputmode=${column.form === "number" && !column.words.length ? "numeric" : "text"} onInput=${onInput} />${hint && html`<small class="note">${hint}</small>`}${wrong(column.name)}</label>`;
}

/** A text of the card: its place, and a sentence with its blanks or free words. @param {{n: number, form: Schemas["CardForm"], kind: string, cells: Cells, change: Change, wrong: Wrong, free: Schemas["FreeText"] | undefined, known: Schemas["CardSentence"] | undefined, adopt: (n: number, text: string) => void}} props */
function TextField({ n, form, kind, cells, change, wrong, free, known: meant, adopt }) {
  const [isFree, setFree] = useState(false);
  const places = form.places.filter((each) => each.kinds.includes(kind)), place = cells[`when_${n}`] ?? "", written = cells[`text_${n}`] ?? "";
  const sentence = findSentence(form, written), values = readBlanks(sentence, cells[`blanks_${n}`] ?? "", written);
  const known = place ? [place] : places.map((each) => each.name);
  const fitting = form.sentences.filter((each) => (!each.kinds.length || each.kinds.includes(kind)) && each.places.some((name) => known.includes(name)));
  const chosen = sentence ? sentence.name : written || isFree ? FREE : "", near = written && chosen === FREE && free?.text === written ? free.near : null;
  /** @param {any} event */
  function choose(event) {
    const found = fitting.find((each) => each.name === event.target.value);
    setFree(event.target.value === FREE);
    change({ ...cells, [`german_${n}`]: "", [`text_${n}`]: found ? found.text.en ?? "" : "", [`blanks_${n}`]: found ? writeBlanks(Object.fromEntries(found.blanks.map((blank) => [blank.name, blank.choices[0]?.name ?? String(blank.least)]))) : "" });
  }
  return html`<fieldset class="fields"><legend>${t("cards_text", { n })}</legend>
    ${places.length > 1 && html`<label>${t("cards_place")}<select value=${place} onChange=${(/** @type {any} */ event) => change({ ...cells, [`when_${n}`]: event.target.value })}>
      <option value="">${t("cards_first_place")}</option>${places.map((each) => html`<option key=${each.name} value=${each.name}>${say(each.label)}</option>`)}</select>${wrong(`when_${n}`)}</label>`}
    <label>${t("cards_text", { n })}<select value=${chosen} onChange=${choose}><option value="">${t("cards_no_text")}</option><option value=${FREE}>${t("cards_free")}</option>
      ${fitting.map((each) => html`<option key=${each.name} value=${each.name}>${say(each.text)}</option>`)}
      ${sentence && !fitting.includes(sentence) && html`<option value=${sentence.name}>${say(sentence.text)}</option>`}</select>${wrong(`text_${n}`)}</label>
    ${chosen === FREE && html`<label>${t("cards_free_text")}<textarea rows="3" value=${written} maxlength="600" onInput=${(/** @type {any} */ event) => change({ ...cells, [`text_${n}`]: event.target.value, [`blanks_${n}`]: "" })}></textarea></label>
      ${near && html`<p class="ask">${t("cards_near", { text: say(near) })} <button type="button" onClick=${() => adopt(n, near.en ?? "")}>${t("cards_use")}</button></p>`}
      ${meant && !free && html`<p class="ask">${t("cards_known", { text: say(meant.text) })} <button type="button" onClick=${() => adopt(n, written)}>${t("cards_use")}</button></p>`}
      ${free?.only_printed && html`<small class="note">${t("cards_free_printed")}</small>`}
      <label>${t("cards_free_german")}<textarea rows="2" value=${cells[`german_${n}`] ?? ""} maxlength="600" onInput=${(/** @type {any} */ event) => change({ ...cells, [`german_${n}`]: event.target.value })}></textarea>${wrong(`german_${n}`)}</label>`}
    ${sentence && html`<p class="note">${say(sentence.text)}</p>`}
    ${sentence?.blanks.map((blank) => html`<${BlankField} key=${blank.name} blank=${blank} value=${values[blank.name] ?? ""}
      onInput=${(/** @type {any} */ event) => change({ ...cells, [`blanks_${n}`]: writeBlanks({ ...values, [blank.name]: event.target.value }) })} />`)}${wrong(`blanks_${n}`)}
  </fieldset>`;
}

/** @param {{blank: Schemas["CardBlank"], value: string, onInput: (event: any) => void}} props */
const BlankField = ({ blank, value, onInput }) => html`<label><code>{${blank.name}}</code>${blank.choices.length
  ? html`<select value=${value} onChange=${onInput}>${blank.choices.map((each) => html`<option key=${each.name} value=${each.name}>${say(each.label)}</option>`)}</select>`
  : html`<input type="number" inputmode="numeric" min=${blank.least} max=${blank.most} value=${value} onInput=${onInput} />`}</label>`;

/** What the check says of a card, a moment after the last change. @param {string} game @param {Cells} head @param {Cells} cells @returns {Schemas["CheckedTable"] | null} */
function useCheck(game, head, cells) {
  const [found, setFound] = useState(/** @type {Schemas["CheckedTable"] | null} */ (null));
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => cells.name && checkTable(game, writeCard(game, head, cells)).then((answer) => isCurrent && setFound(answer), () => {}), AFTER);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [game, head.language, cells, language()]);
  return found;
}

/** The card as players will see it. @param {{game: string, card: any}} props */
const Preview = ({ game, card }) => card && html`<div class="row found"><${Face} design=${{ ...card, name: say(card.name) }} game=${game} /><div class="grow"><b>${say(card.name)}</b><p>${say(card.text)}</p>${card.bad_text && html`<p>${say(card.bad_text)}</p>`}</div></div>`;
