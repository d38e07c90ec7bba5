// @ts-check
// Put a move together where there are too many to list: choose a card, several, a number, places.
import { readValue, writeText } from "../../lib/device.js";
import { html, useState } from "../../lib/html.js";
import { nameSeat, say, t } from "../../lib/words.js";
import { Face, Sheet } from "../../parts/basic.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

const MANY = 8; // values beyond which there is a search
const RECENT = 24; // cards that are remembered to be shown first

/** @param {{picker: Schemas["Picker"], drawing: any, onClose: () => void, onChosen: (move: any) => void, isReport?: boolean}} props */
export function PickerSheet({ picker, drawing, onClose, onChosen, isReport = false }) {
  const [chosen, setChosen] = useState(/** @type {Record<string, any>} */ ({}));
  /** @param {string} field @param {any} value */
  const set = (field, value) => {
    const next = { ...chosen, [field]: value };
    setChosen(next);
    const [choice] = picker.choices;
    if (picker.choices.length === 1 && choice?.kind === "one") choose(next);
  };
  /** @param {Record<string, any>} values */
  const choose = (values) => {
    noteRecent(drawing, Object.values(values).flat());
    onChosen({ ...picker.move, ...values });
  };
  const isComplete = picker.choices.every((choice) => isChosen(choice, chosen[choice.field]));
  return html`<${Sheet} title=${say(picker.says, drawing.names)} onClose=${onClose}>
    ${picker.choices.map((choice) => html`<${Choice} key=${choice.field} choice=${choice} value=${chosen[choice.field]} drawing=${drawing}
      onChange=${(/** @type {any} */ value) => set(choice.field, value)} />`)}
    <button class="call wide tall" disabled=${!isComplete} onClick=${() => choose(chosen)}><b>${t(isReport ? "confirm" : "play_it")}</b></button>
  <//>`;
}

/** @param {Schemas["PickerChoice"]} choice @param {any} value */
function isChosen(choice, value) {
  if (choice.kind === "several" || choice.kind === "places") return (value?.length ?? 0) >= (choice.least ?? 0);
  return value !== undefined;
}

/** @param {{choice: Schemas["PickerChoice"], value: any, drawing: any, onChange: (value: any) => void}} props */
function Choice({ choice, value, drawing, onChange }) {
  const [search, setSearch] = useState("");
  if (choice.kind === "number") return html`<${Stepper} choice=${choice} value=${value} onChange=${onChange} />`;
  if (choice.kind === "text") return html`<input value=${value ?? ""} maxlength="200" onInput=${(/** @type {any} */ event) => onChange(event.target.value)} />`;
  const picked = /** @type {any[]} */ (choice.kind === "one" ? (value === undefined ? [] : [value]) : value ?? []);
  const found = choice.values.map((each, at) => ({ each, at, label: labelValue(each, choice.field, drawing) }))
    .filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()));
  const recent = readValue(recentKey(drawing), []);
  if (choice.values.length > MANY) found.sort((one, other) => rankRecent(recent, one.each) - rankRecent(recent, other.each));
  /** @param {any} each @param {number} at */
  const pick = (each, at) => {
    if (choice.kind === "one") return onChange(each);
    const card = choice.kind === "places" ? { card: each, x: picked.length, y: 0 } : each;
    const limit = choice.copies?.[at] ?? choice.most ?? 1, already = picked.filter((one) => (one?.card ?? one) === each).length;
    const most = choice.most ?? choice.values.length;
    onChange(already >= limit || picked.length >= most ? picked.filter((one) => (one?.card ?? one) !== each) : [...picked, card]);
  };
  return html`<div class="stack">
    ${choice.values.length > MANY && html`<label><span class="sr">${t("search")}</span><input type="search" placeholder=${t("search")} value=${search}
      onInput=${(/** @type {any} */ event) => setSearch(event.target.value)} /></label>`}
    ${choice.kind !== "one" && html`<p class="note" role="status">${t("chosen_of", { n: picked.length, most: choice.most ?? choice.values.length })}</p>`}
    <div class="picks">${found.map(({ each, at, label }) => {
      const count = picked.filter((one) => (one?.card ?? one) === each).length, design = drawing.cards[String(each)];
      return html`<button key=${at} class=${count ? "chosen" : ""} aria-pressed=${count > 0} onClick=${() => pick(each, at)}>
        ${design && html`<${Face} design=${design} game=${drawing.game} />`}<span>${label}${count > 1 ? ` × ${count}` : ""}</span></button>`;
    })}</div></div>`;
}

/** @param {{choice: Schemas["PickerChoice"], value: any, onChange: (value: number) => void}} props */
function Stepper({ choice, value, onChange }) {
  const least = choice.least ?? 0, most = choice.most ?? 99, shown = value ?? least;
  if (value === undefined) onChange(least);
  return html`<div class="row"><button aria-label="−" disabled=${shown <= least} onClick=${() => onChange(shown - 1)}><b>−</b></button>
    <b class="num big" role="status">${shown}</b><button aria-label="+" disabled=${shown >= most} onClick=${() => onChange(shown + 1)}><b>+</b></button></div>`;
}

/** @param {any} value @param {string} field @param {any} drawing */
export function labelValue(value, field, drawing) {
  const design = drawing.cards[String(value)];
  if (design) return say(design.name);
  if (typeof value === "number" && /seat|player|target|to|from|of|victim|helper/.test(field)) return nameSeat(value, drawing.names);
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  return value === null ? t("none") : String(value);
}

/** @param {any} drawing */
const recentKey = (drawing) => `referee.recent.${drawing.game}`;

/** Remember the cards that were chosen. @param {any} drawing @param {any[]} values */
function noteRecent(drawing, values) {
  const cards = values.map((value) => String(value?.card ?? value)).filter((value) => value in drawing.cards);
  const kept = readValue(recentKey(drawing), []).filter((/** @type {string} */ card) => !cards.includes(card));
  writeText(recentKey(drawing), JSON.stringify([...cards, ...kept].slice(0, RECENT)));
}

/** @param {string[]} recent @param {any} value */
function rankRecent(recent, value) {
  const at = recent.indexOf(String(value));
  return at < 0 ? RECENT : at;
}
