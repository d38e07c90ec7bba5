// @ts-check
// A report on a card whose text the table carries out itself: the changes are noted one by one and sent together.
import "./texts.js";
import { html, useState } from "../../lib/html.js";
import { nameSeat, say, t } from "../../lib/words.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {Schemas["PickerPart"]} Part */

const MOST_DRAWN = 20;

/** @param {{picker: Schemas["Picker"], drawing: any, isReal: boolean, onChosen: (move: any) => void}} props */
export default function Written({ picker, drawing, isReal, onChosen }) {
  const choice = picker.choices[0], parts = choice?.parts ?? [], card = drawing.cards[String(choice?.values[0]).split(/[!#]/)[0] ?? ""];
  const [changes, setChanges] = useState(/** @type {any[]} */ ([]));
  const isFull = changes.length >= (choice?.most ?? 0);
  /** @param {boolean} more */
  const send = (more) => onChosen({ ...picker.move, changes, ...(more ? { more } : {}) });
  return html`<div class="stack written">${card?.text && html`<blockquote class="note">${say(card.text)}</blockquote>`}
    ${changes.length > 0 && html`<h2 class="grp">${t("written_listed")}</h2><ol class="stack">${changes.map((change, at) => html`<li key=${at} class="row">
      <span>${tellChange(change, parts, drawing)}</span><button aria-label=${`${t("written_remove")}: ${tellChange(change, parts, drawing)}`}
        onClick=${() => setChanges(changes.filter((_, other) => other !== at))}>×</button></li>`)}</ol>`}
    ${!isFull && html`<${NewChange} key=${changes.length} parts=${parts} drawing=${drawing} isReal=${isReal} onMade=${(/** @type {any} */ change) => setChanges([...changes, change])} />`}
    <div class="grid2"><button class="call tall" disabled=${changes.length === 0} onClick=${() => send(false)}><b>${t("written_done")}</b></button>
      <button class="tall" disabled=${changes.length === 0} onClick=${() => send(true)}><b>${t("written_more")}</b></button></div></div>`;
}

/** One change, put together. @param {{parts: Part[], drawing: any, isReal: boolean, onMade: (change: any) => void}} props */
function NewChange({ parts, drawing, isReal, onMade }) {
  const places = parts.filter((part) => part.cards !== null), values = parts.filter((part) => part.cards === null);
  const filled = places.filter((part) => (part.cards?.length ?? 0) > 0), decks = filled.filter((part) => part.name.endsWith(":"));
  const seats = Object.keys(drawing.names).map(Number), first = drawing.me ?? seats[0] ?? 0;
  const [made, setMade] = useState(/** @type {any} */ ({ kind: "move", seat: first, draw: 1, deck: decks[0]?.name ?? "", to: 0, top: false }));
  /** @param {any} more */
  const change = (more) => setMade({ ...made, ...more });
  const cards = listCards(filled.find((part) => part.name === made.source), drawing, isReal), { kind } = made;
  const whole = kind === "draw" ? { draw: made.draw, seat: made.seat, source: made.deck }
    : kind === "set" ? made.set && { set: made.set, to: made.to }
    : made.move && made.source && made.target && { move: made.move, source: made.source, target: made.target, ...(made.top ? { top: true } : {}) };
  const kinds = ["move", "draw", ...(values.length > 0 ? ["set"] : [])].map((each) => [each, t(`written_${each}`)]);
  return html`<${Select} label="written_kind" value=${kind} options=${kinds} onChange=${(/** @type {string} */ value) => change({ kind: value })} />
    ${kind === "move" && html`<${Select} label="written_from" value=${made.source} options=${namePlaces(filled, drawing)} onChange=${(/** @type {string} */ source) => change({ source, move: undefined })} />
      ${made.source && html`<${Select} label="written_card" value=${made.move} options=${cards} onChange=${(/** @type {string} */ move) => change({ move })} />`}
      <${Select} label="written_to" value=${made.target} options=${namePlaces(places, drawing)} onChange=${(/** @type {string} */ target) => change({ target })} />
      ${made.target?.endsWith(":") && html`<label class="row"><input type="checkbox" checked=${made.top} onChange=${(/** @type {any} */ event) => change({ top: event.target.checked })} /> ${t("written_top")}</label>`}`}
    ${kind === "draw" && html`<${Select} label="written_who" value=${String(made.seat)} options=${seats.map((seat) => [String(seat), nameSeat(seat, drawing.names)])} onChange=${(/** @type {string} */ seat) => change({ seat: Number(seat) })} />
      ${decks.length > 1 && html`<${Select} label="written_deck" value=${made.deck} options=${namePlaces(decks, drawing)} onChange=${(/** @type {string} */ deck) => change({ deck })} />`}
      <${Count} label="written_how_many" value=${made.draw} least=${1} most=${MOST_DRAWN} onChange=${(/** @type {number} */ draw) => change({ draw })} />`}
    ${kind === "set" && html`<${Select} label="written_what" value=${made.set} options=${namePlaces(values, drawing)} onChange=${(/** @type {string} */ set) => change({ set })} />
      <${Count} label="written_value" value=${made.to} least=${0} most=${99} onChange=${(/** @type {number} */ to) => change({ to })} />`}
    <button class="wide" disabled=${!whole} onClick=${() => onMade(whole)}>${t("written_add")}</button>`;
}

/** @param {{label: string, value: string | undefined, options: [string, string][], onChange: (value: string) => void}} props */
const Select = ({ label, value, options, onChange }) => html`<label class="stack"><span>${t(label)}</span>
  <select value=${value ?? ""} data-field=${label} onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
    ${value === undefined && html`<option value="" disabled selected>…</option>`}
    ${options.map(([each, shown]) => html`<option key=${each} value=${each} selected=${each === value}>${shown}</option>`)}</select></label>`;

/** @param {{label: string, value: number, least: number, most: number, onChange: (value: number) => void}} props */
const Count = ({ label, value, least, most, onChange }) => html`<label class="stack"><span>${t(label)}</span>
  <input type="number" inputmode="numeric" min=${least} max=${most} value=${value} data-field=${label}
    onInput=${(/** @type {any} */ event) => onChange(Math.max(least, Math.min(most, Number(event.target.value) || least)))} /></label>`;

/** @param {Part[]} parts @param {any} drawing @returns {[string, string][]} */
const namePlaces = (parts, drawing) => parts.map((part) => [part.name, say(part.says, drawing.names)]);

/** Return the cards to choose from at a place; at a real table any that may lie there face down. @param {Part | undefined} part @param {any} drawing @param {boolean} isReal @returns {[string, string][]} */
function listCards(part, drawing, isReal) {
  const there = [...new Set(part?.cards ?? [])], isHidden = there.some((card) => card.startsWith("?"));
  const all = isReal && isHidden ? Object.keys(drawing.cards).filter((card) => !there.includes(card)) : [];
  return [...there, ...all].map((card) => [card, nameCard(card, drawing)]);
}

/** @param {string} card @param {any} drawing */
const nameCard = (card, drawing) => (card.startsWith("?") ? t("written_down") : say(drawing.cards[card.split(/[!#]/)[0] ?? card]?.name) || card);

/** @param {any} change @param {Part[]} parts @param {any} drawing @returns {string} */
function tellChange(change, parts, drawing) {
  const name = (/** @type {string} */ part) => say(parts.find((each) => each.name === part)?.says ?? null, drawing.names);
  if ("draw" in change) return t("written_drawn", { name: nameSeat(change.seat, drawing.names), n: change.draw });
  if ("set" in change) return t("written_set_to", { what: name(change.set), n: change.to });
  return t("written_moved", { card: nameCard(change.move, drawing), from: name(change.source), to: name(change.target) });
}
