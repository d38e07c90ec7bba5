// @ts-check
// A board of any game: piles, and the cards before each seat. Games draw more in files of their own.
import { html } from "../lib/html.js";
import { countCards, nameSeat, say } from "../lib/words.js";
import { SeatMark } from "../parts/basic.js";
import { Card, Pile } from "../parts/card.js";

/** @typedef {import("../parts/card.js").Drawing} Drawing */

/** Return the line under a name. @param {any} seat */
export const describeSeat = (seat) => (seat.hand?.count == null ? "" : countCards(seat.hand.count));

/** Draw what is going on, inside of what the referee says. */
export const Running = () => null;

/** Draw the table on a phone. @param {{board: any, drawing: Drawing}} props */
export const Table = ({ board, drawing }) => html`<div class="piles">
  ${board.piles.map((/** @type {any} */ pile) => html`<${Pile} key=${pile.place} pile=${pile} drawing=${drawing} />`)}</div>`;

/** The big screen lays what the referee says between its own parts. */
export const takesPanel = true;

/** Draw the table on a big screen. @param {{board: any, drawing: Drawing, children?: any}} props */
export const Screen = ({ board, drawing, children }) => html`<div class="screen-middle">${children}</div><div class="screen-places"><div class="piles">
  ${board.piles.map((/** @type {any} */ pile) => html`<${Pile} key=${pile.place} pile=${pile} drawing=${drawing} />`)}</div>
  ${board.seats.map((/** @type {any} */ seat) => html`<section class="place" key=${seat.seat}><div class="row"><${SeatMark} seat=${seat.seat}
    name=${nameSeat(seat.seat, drawing.names)} /><h2>${nameSeat(seat.seat, drawing.names)}</h2></div><p>${say(seat.hand?.label, drawing.names)}: ${seat.hand?.count ?? "?"}</p>
    <div class="piles">${(seat.hand?.cards ?? []).map((/** @type {any} */ card) => html`<${Card} key=${card.id} card=${card} drawing=${drawing} small />`)}</div></section>`)}</div>`;
