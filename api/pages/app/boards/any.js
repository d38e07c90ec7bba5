// @ts-check
// A board of any game: piles, and the cards before each seat. Games draw more in files of their own.
import { html } from "../lib/html.js";
import { countCards } from "../lib/words.js";
import { Pile } from "../parts/card.js";
import { Backs, Laid, Place, Places } from "../parts/running.js";

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
export const Screen = ({ board, drawing, children }) => html`<${Places} many=${board.seats.length}>${board.seats.map((/** @type {any} */ seat) => html`
    <${Place} key=${seat.seat} seat=${seat.seat} drawing=${drawing} isOn=${board.turn === seat.seat} counts=${describeSeat(seat)}>
      ${seat.hand?.cards.length > 0 ? html`<${Laid} cards=${seat.hand.cards} drawing=${drawing} />` : html`<${Backs} count=${seat.hand?.count} />`}<//>`)}<//>
  <div class="screen-middle">${children}<div class="piles">${board.piles.map((/** @type {any} */ pile) => html`<${Pile} key=${pile.place} pile=${pile} drawing=${drawing} isLarge />`)}</div></div>`;
