// @ts-check
// The board of Creature Crush: both fields with their places, crush cards face down, what is left of each deck.
import { html } from "../lib/html.js";
import { t } from "../lib/words.js";
import { Card, Pile } from "../parts/card.js";
import { Piles, Place, Places } from "../parts/running.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */
/** @typedef {import("../parts/card.js").Drawing} Drawing */

/** @param {Schemas["CreatureCrushSeat"]} seat */
export const describeSeat = (seat) => t("cc_line", { n: seat.cards_left ?? "?" });

/** @param {{board: any, drawing: Drawing}} props */
export function Running({ board, drawing }) {
  const running = /** @type {any[]} */ ([board.running ?? []].flat()).at(-1);
  const cards = [running?.creature ?? running?.card ?? running?.attacker, running?.target].filter((each) => each?.id);
  return cards.length === 0 ? null : html`<div class="scene">${cards.map((card, at) => html`${at > 0 && html`<span class="arrow" aria-hidden="true">→</span>`}<${Card} key=${card.id} card=${card} drawing=${drawing} />`)}</div>`;
}

/** @param {{place: any, drawing: Drawing}} props */
function Spot({ place, drawing }) {
  const creature = place.creature ?? place.card ?? null, name = String(place.place).replace(/\W.*/, "");
  return html`<div class="spot">${creature ? html`<${Card} card=${creature} drawing=${drawing} small label=${creature.life_left === undefined ? name
    : html`${name} <b class="num">${creature.attack ?? creature.printed_attack}/${creature.life_left}</b>`} mark=${(creature.marks ?? []).some((/** @type {string} */ mark) => /^attack/.test(mark)) ? "now" : ""} />`
    : html`<span class="empty">${name}</span>`}</div>`;
}

/** @param {{seat: Schemas["CreatureCrushSeat"], board: Schemas["CreatureCrushBoard"], drawing: Drawing}} props */
const Field = ({ seat, board, drawing }) => html`<${Place} seat=${seat.seat} drawing=${drawing} isOn=${board.turn === seat.seat} counts=${seat.cards_left ?? "?"}>
  <div class="spots">${seat.field.map((place) => html`<${Spot} key=${place.place} place=${place} drawing=${drawing} />`)}${seat.crush.map((place) => html`<${Spot} key=${place.place} place=${place} drawing=${drawing} />`)}</div><//>`;

/** @param {{board: Schemas["CreatureCrushBoard"], drawing: Drawing}} props */
export const Table = ({ board, drawing }) => html`<div class="places-list">${board.seats.map((seat) => html`<${Field} key=${seat.seat} seat=${seat} board=${board} drawing=${drawing} />`)}</div><${Piles} board=${board} drawing=${drawing} Pile=${Pile} />`;

/** @param {{board: Schemas["CreatureCrushBoard"], drawing: Drawing, children?: any}} props */
export const Screen = ({ board, drawing, children }) => html`<${Places} many=${board.seats.length}>${board.seats.map((seat) => html`<${Field} key=${seat.seat} seat=${seat} board=${board} drawing=${drawing} />`)}<//>
  <div class="screen-middle">${children}<${Piles} board=${board} drawing=${drawing} Pile=${Pile} /></div>`;
