// @ts-check
// The board of Monster Combat: hearts, the active monster, the attack that is running.
import { html } from "../lib/html.js";
import { countCards, nameSeat, t } from "../lib/words.js";
import { Icon } from "../parts/basic.js";
import { Card, Pile } from "../parts/card.js";
import { Backs, Piles, Place, Places, Thing } from "../parts/running.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */
/** @typedef {import("../parts/card.js").Drawing} Drawing */

/** @param {Schemas["MonsterCombatSeat"]} seat */
export const describeSeat = (seat) => `♥ ${seat.hearts ?? "?"} · ${countCards(seat.hand.count)}`;

/** @param {{many: number | null, of: number}} props */
const Hearts = ({ many, of }) => html`<span class="hearts" role="img" aria-label=${t("hearts_left", { n: many ?? "?" })}>${Array.from({ length: of }, (_, at) => html`<span key=${at} class=${at < (many ?? 0) ? "full" : ""}><${Icon} name="heart" size=${22} /></span>`)}</span>`;

/** @param {{board: Schemas["MonsterCombatBoard"], drawing: Drawing}} props */
export function Running({ board, drawing }) {
  const running = /** @type {any} */ (board.running), { monster } = board;
  return html`${running?.card && running.card.card !== monster?.card.card && html`<${Thing} thing=${running} drawing=${drawing} />`}
    ${monster && html`<div class="scene"><${Card} card=${monster.card} drawing=${drawing} /><${Hearts} many=${monster.hearts} of=${monster.of_hearts} /></div>`}`;
}

/** @param {{board: Schemas["MonsterCombatBoard"], drawing: Drawing, isLarge?: boolean}} props */
const Players = ({ board, drawing, isLarge = false }) => html`${board.seats.map((seat) => html`<${Place} key=${seat.seat} seat=${seat.seat} drawing=${drawing} isOn=${board.turn === seat.seat}
  counts=${html`<${Hearts} many=${seat.hearts} of=${seat.of_hearts} />`}>
  <p class="note">${countCards(seat.hand.count)}${seat.is_out ? ` · ${t("is_out", { name: nameSeat(seat.seat, drawing.names) })}` : ""}</p>${isLarge && html`<${Backs} count=${seat.hand.count} />`}<//>`)}`;

/** @param {{board: Schemas["MonsterCombatBoard"], drawing: Drawing}} props */
export const Table = ({ board, drawing }) => html`<div class="places-list"><${Players} board=${board} drawing=${drawing} /></div><${Piles} board=${board} drawing=${drawing} Pile=${Pile} />`;

/** The big screen lays what the referee says between its own parts. */
export const takesPanel = true;

/** @param {{board: Schemas["MonsterCombatBoard"], drawing: Drawing, children?: any}} props */
export const Screen = ({ board, drawing, children }) => html`<${Places} many=${board.seats.length}><${Players} board=${board} drawing=${drawing} isLarge /><//>
  <div class="screen-middle">${children}<${Piles} board=${board} drawing=${drawing} Pile=${Pile} /></div>`;
