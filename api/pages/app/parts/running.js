// @ts-check
// What is going on, in any game: the card it is about and what it aims at, dice with their total, the way to the goal.
import { html } from "../lib/html.js";
import { nameSeat, t } from "../lib/words.js";
import { Die, Face, SeatMark } from "./basic.js";
import { Card } from "./card.js";
import { fitRows } from "./player.js";

/** @typedef {import("./card.js").Drawing} Drawing */

const MOST_STEPS = 14; // of the way to a goal

/** How far a total is from what it needs. @param {{total: number, needs: {least: number | null, most: number | null} | null | undefined}} props */
export function Reach({ total, needs }) {
  const goal = needs?.least;
  if (goal == null || goal > MOST_STEPS) return null;
  const missing = goal - total, steps = Array.from({ length: Math.max(goal, total) }, (_, at) => at + 1);
  const text = missing > 0 ? t("short_of", { n: missing, goal }) : t("reaches", { goal });
  return html`<div class="way"><div class="reach" role="img" aria-label=${`${t("has", { n: total })}, ${text}`}>
    ${steps.map((step) => html`<i key=${step} class=${step === goal ? (step <= total ? "" : "goal") : step > total ? "gap" : ""}></i>`)}</div>
    <div class="row note" aria-hidden="true"><span>${t("has", { n: total })}</span><span class="end">${text}</span></div></div>`;
}

/** A roll: who or what rolls, at whom, the dice and the total. @param {{roll: any, drawing: Drawing, targets?: any[]}} props */
export function Roll({ roll, drawing, targets = [] }) {
  const dice = roll.dice ?? [];
  return html`<div class="scene">
    ${roll.card ? html`<${Card} card=${roll.card} drawing=${drawing} />` : html`<span class="row"><${SeatMark} seat=${roll.seat} name=${nameSeat(roll.seat, drawing.names)} /> ${nameSeat(roll.seat, drawing.names)}</span>`}
    ${targets.length > 0 && html`<span class="arrow" aria-hidden="true">→</span>`}
    ${targets.map((card) => html`<${Card} key=${card.id} card=${card} drawing=${drawing} />`)}
    <div class="roll">${dice.length > 0 && html`<span class="dice">${dice.map((/** @type {number} */ value) => html`<${Die} value=${value} />`)}</span>`}
      ${roll.total != null && html`<span class="num">${roll.total}</span>`}</div></div>
    ${roll.total != null && html`<${Reach} total=${roll.total} needs=${roll.needs} />`}`;
}

/** Anything that has a card, such as one that was announced. @param {{thing: any, drawing: Drawing}} props */
export const Thing = ({ thing, drawing }) => (thing?.card ? html`<div class="scene"><${Card} card=${thing.card} drawing=${drawing} /></div>` : null);

/** A row of cards under a heading. @param {{cards: any[], drawing: Drawing, heading?: any}} props */
export const CardRow = ({ cards, drawing, heading }) => (cards.length === 0 ? null : html`${heading && html`<h3 class="grp">${heading}</h3>`}
  <div class="piles">${cards.map((card) => html`<${Card} key=${card.id} card=${card} drawing=${drawing} small />`)}</div>`);

/** A player's place: mark, name, what counts, then what lies there. @param {{seat: number, drawing: Drawing, isOn: boolean, counts: any, children?: any}} props */
export const Place = ({ seat, drawing, isOn, counts, children }) => html`<section data-place=${`hand:${seat}`} class=${`place ${isOn ? "on" : ""}`}>
  <header class="row"><${SeatMark} seat=${seat} name=${nameSeat(seat, drawing.names)} /><h3 class="grow">${nameSeat(seat, drawing.names)}</h3><span class="counts num">${counts}</span></header>
  ${children}</section>`;

const IN_A_ROW = 6; // cards before a player; with more they lie in two rows on a big screen

/** Cards that lie before a player; a big screen makes them as large as there is room. @param {{cards: any[], drawing: Drawing, children?: any, many?: number}} props */
export const Laid = ({ cards, drawing, children, many = cards.length }) => html`<div class="piles laid" style=${fitRows(many, IN_A_ROW)}>${children}
  ${cards.map((card) => html`<${Card} key=${card.id} card=${card} drawing=${drawing} small />`)}</div>`;

/** A hand that nobody here may see: so many backs. @param {{count: number | null | undefined}} props */
export const Backs = ({ count }) => html`<div class="piles laid backs" aria-hidden="true" style=${fitRows(count ?? 0, 2 * IN_A_ROW)}>${Array.from({ length: count ?? 0 }, (_, at) => html`
  <span class="card" key=${at}><${Face} design=${null} /></span>`)}</div>`;

const COLUMNS = [1, 1, 2, 3, 2, 3, 3, 4]; // on a big screen, by the number of seats

/** The places of all players on a big screen. @param {{many: number, children?: any}} props */
export const Places = ({ many, children }) => html`<div class="screen-places" style=${{ gridTemplateColumns: `repeat(${COLUMNS[many] ?? 4}, minmax(0, 1fr))` }}>${children}</div>`;

/** The piles that belong to nobody, those without cards left out. @param {{board: any, drawing: Drawing, Pile: any}} props */
export const Piles = ({ board, drawing, Pile }) => html`<div class="piles">${board.piles.filter((/** @type {any} */ pile) => pile.count !== 0).map((/** @type {any} */ pile) => html`<${Pile} key=${pile.place} pile=${pile} drawing=${drawing} />`)}</div>`;
