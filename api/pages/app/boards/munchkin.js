// @ts-check
// The board of Munchkin: levels, strength, items and mounts in play, curses, the combat.
import { html } from "../lib/html.js";
import { countCards, t } from "../lib/words.js";
import { Card, Pile } from "../parts/card.js";
import { Piles, Place, Places } from "../parts/running.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */
/** @typedef {import("../parts/card.js").Drawing} Drawing */

/** @param {Schemas["MunchkinSeat"]} seat */
export const describeSeat = (seat) => t("mk_line", { level: seat.level, strength: seat.strength ?? "?" });

/** @param {{board: any, drawing: Drawing}} props */
export function Running({ board, drawing }) {
  const running = /** @type {any[]} */ ([board.running ?? []].flat()).at(-1);
  const monsters = (running?.monsters ?? []).map((/** @type {any} */ each) => each.card ?? each).filter((/** @type {any} */ each) => each?.id);
  const cards = monsters.length > 0 ? monsters : running?.card ? [running.card] : [];
  return cards.length === 0 ? null : html`<div class="scene">${cards.map((/** @type {any} */ card) => html`<${Card} key=${card.id} card=${card} drawing=${drawing} />`)}</div>`;
}

/** @param {{board: Schemas["MunchkinBoard"], drawing: Drawing}} props */
const Players = ({ board, drawing }) => html`${board.seats.map((seat) => {
  const things = /** @type {any[]} */ ([seat.items, seat.ride, seat.citizenship, seat.curses].flatMap((pile) => pile?.cards ?? []));
  return html`<${Place} key=${seat.seat} seat=${seat.seat} drawing=${drawing} isOn=${board.turn === seat.seat} counts=${t("mk_level", { level: seat.level })}>
    <p class="note">${t("mk_line", { level: seat.level, strength: seat.strength ?? "?" })} · ${countCards(seat.hand.count)}</p>
    <div class="piles">${things.map((thing) => html`<${Card} key=${thing.id} card=${thing} drawing=${drawing} small />`)}</div><//>`;
})}`;

/** @param {{board: Schemas["MunchkinBoard"], drawing: Drawing}} props */
export const Table = ({ board, drawing }) => html`<div class="places-list"><${Players} board=${board} drawing=${drawing} /></div><${Piles} board=${board} drawing=${drawing} Pile=${Pile} />`;

/** @param {{board: Schemas["MunchkinBoard"], drawing: Drawing, children?: any}} props */
export const Screen = ({ board, drawing, children }) => html`<${Places} many=${board.seats.length}><${Players} board=${board} drawing=${drawing} /><//>
  <div class="screen-middle">${children}<${Piles} board=${board} drawing=${drawing} Pile=${Pile} /></div>`;
