// @ts-check
// Which move the question is about: one that somebody could think of here, legal or not, or any other of the game.
import { html, useState } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { Sheet } from "../../parts/basic.js";
import { FreeChoice } from "../seat/picker.js";
import { Field, ObjectField } from "./field.js";
import { makeStart, nameMember } from "./written.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {import("./written.js").Wording} Wording */
/** @typedef {{seat: number | "chance", move: any}} Asked */

/** @param {{thinkable: Schemas["PositionMoves"] | null, kinds: any[], wording: Wording, asked: Asked | null, onAsked: (asked: Asked | null) => void, mistakes: import("./field.js").Mistake[]}} props */
export function MoveChoice({ thinkable, kinds, wording, asked, onAsked, mistakes }) {
  const [chosen, setSeat] = useState(/** @type {number | "chance" | null} */ (null)), [picking, setPicking] = useState(/** @type {Schemas["Picker"] | null} */ (null));
  const first = thinkable?.awaits[0] ?? thinkable?.moves[0]?.seat ?? 0, seat = asked?.seat ?? chosen ?? /** @type {number | "chance"} */ (first);
  const of = thinkable?.moves.find((each) => each.seat === seat), shown = JSON.stringify(asked?.move ?? null);
  /** @param {any} move */
  const choose = (move) => onAsked({ seat, move });
  /** @param {number | "chance"} next */
  const sit = (next) => (setSeat(next), onAsked(null));
  const groups = (of?.groups ?? []).map((group) => ({ ...group, moves: of?.listed.filter((each) => each.move.type === group.type) ?? [] }));
  const singles = groups.flatMap((group) => (group.moves.length === 1 ? group.moves : []));
  /** @param {Schemas["LegalMove"]} each */
  const draw = (each) => {
    const key = JSON.stringify(each.move);
    return html`<button type="button" key=${key} class=${key === shown ? "chosen" : ""} aria-pressed=${key === shown} data-ask=${key} onClick=${() => choose(each.move)}>${say(each.told, wording.names) || say(kinds.find((kind) => kind.type === each.move.type)?.says)}</button>`;
  };
  const isListed = of?.listed.some((each) => JSON.stringify(each.move) === shown);
  return html`<${Field} schema=${{ type: "integer", "x-seat": true }} value=${seat} path=${["seat"]} wording=${wording} mistakes=${mistakes} label=${t("judge_who")} onChange=${sit} />
    <button type="button" class=${seat === "chance" ? "chosen" : ""} aria-pressed=${seat === "chance"} onClick=${() => sit("chance")}>${t("judge_chance")}</button>
    ${groups.filter((group) => group.moves.length > 1).map((group) => html`<div key=${group.type} role="group" aria-label=${say(group.says)}><h3 class="grp">${say(group.says)}</h3><div class="grid2">${group.moves.map(draw)}</div></div>`)}
    ${singles.length > 0 && html`<div class="grid2">${singles.map(draw)}</div>`}
    ${of && of.pickers.length > 0 && html`<div class="grid2">${of.pickers.map((picker) => html`<button type="button" key=${picker.type} class=${asked?.move.type === picker.type ? "chosen" : ""} data-kind=${picker.type} onClick=${() => setPicking(picker)}>${say(picker.says)} …</button>`)}</div>`}
    ${picking && html`<${Sheet} title=${say(picking.says)} onClose=${() => setPicking(null)}><${FreeChoice} picker=${picking} drawing=${wording} isReport=${false}
      onChosen=${(/** @type {any} */ move) => (setPicking(null), choose(move))} /><//>`}
    <details open=${thinkable !== null && !of}><summary>${t("judge_any_move")}</summary><${AnyMove} kinds=${kinds} wording=${wording} move=${isListed ? null : asked?.move ?? null} mistakes=${mistakes} onChange=${choose} /></details>`;
}

/** A move of any kind, put together by its schema. @param {{kinds: any[], wording: Wording, move: any, mistakes: import("./field.js").Mistake[], onChange: (move: any) => void}} props */
function AnyMove({ kinds, wording, move, mistakes, onChange }) {
  const kind = kinds.find((each) => each.type === move?.type), label = t("judge_any_move");
  const schema = kind && nameCards(kind.schema, wording);
  return html`<div class="stack"><select aria-label=${label} value=${kind?.type ?? ""} onChange=${(/** @type {any} */ event) => {
    const next = kinds.find((each) => each.type === event.target.value);
    if (next) onChange(makeStart(nameCards(next.schema, wording)));
  }}><option value="" disabled selected=${!kind}>${t("judge_kind")}</option>${kinds.map((each) => html`<option key=${each.type} value=${each.type} selected=${each.type === kind?.type}>${say(each.says)}</option>`)}</select>
    ${schema && html`<${ObjectField} schema=${schema} value=${move} path=${[]} wording=${wording} mistakes=${mistakes} label=${label} isBare onChange=${onChange} />`}</div>`;
}

const CARD_FIELDS = /card|monster|hero|item|picks|plays|give|take|off|instead|partner|target|about/; // members of moves that name cards, in most games

/** Return the schema of a move in which texts that name cards list the cards, to be searched. @param {any} schema @param {Wording} wording @returns {any} */
function nameCards(schema, wording) {
  /** @type {(part: any) => any} */
  const enumerate = (part) => (part?.type === "string" && !part.enum && !("const" in part) ? { enum: Object.keys(wording.cards) } : part?.type === "array" ? { ...part, items: enumerate(part.items) } : part);
  return { ...schema, properties: Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, CARD_FIELDS.test(name) ? enumerate(part) : part])) };
}
