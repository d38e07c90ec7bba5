// @ts-check
// A player's part of the table: the head with mark, name and numbers, and what lies there below it.
import { html } from "../lib/html.js";
import { nameSeat, say, t } from "../lib/words.js";
import { Face, Icon, SeatMark, Svg } from "./basic.js";

/** @typedef {import("./card.js").Drawing} Drawing */

/** @param {{seat: number, board: any, drawing: Drawing, stats?: any, note?: any, children?: any}} props */
export const Player = ({ seat, board, drawing, stats, note, children }) => {
  const name = nameSeat(seat, drawing.names), isOn = seat === board.turn;
  return html`<section class=${`player ${isOn ? "on" : ""}`} aria-label=${name}><header><${SeatMark} seat=${seat} name=${name} />
    <h3>${name}</h3>${isOn && html`<span class="now-tag">${t("on_turn")}</span>`}${note && html`<span class="note">${note}</span>`}
    <span class="stats">${stats}</span></header>${children}</section>`;
};

/** @param {number} value */
export const sign = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

/** A number with its icon. @param {{icon: string, label: string, value: any, mark?: string}} props */
export const Stat = ({ icon, label, value, mark = "" }) => html`<span class=${`stat ${mark}`} title=${label}><${Icon} name=${icon} size=${18} />
  <span class="sr">${label} </span><b class="num">${value ?? "?"}</b></span>`;

/** A seat by mark and name, within a line. @param {{seat: number, drawing: Drawing}} props */
export const Who = ({ seat, drawing }) => html`<span class="who"><${SeatMark} seat=${seat} name=${nameSeat(seat, drawing.names)} />
  <b>${nameSeat(seat, drawing.names)}</b></span>`;

/** Several seats by their marks, with their names for those who hear them. @param {{seats: number[], drawing: Drawing}} props */
export const Marks = ({ seats, drawing }) => html`<span class="who">${seats.map((seat) => html`<span key=${seat} title=${nameSeat(seat, drawing.names)}>
  <${SeatMark} seat=${seat} name=${nameSeat(seat, drawing.names)} /><span class="sr">${nameSeat(seat, drawing.names)}</span></span>`)}</span>`;

/** A card in the midst of others: its face alone, the name below. @param {{card: any, drawing: Drawing, mark?: string, children?: any}} props */
export const Small = ({ card, drawing, mark = "", children }) => {
  const design = card?.card ? drawing.cards[card.card] ?? { id: card.card } : null, name = say(card?.name) || say(design?.name);
  return html`<figure class=${`lies ${mark}`}><${Face} design=${design && { ...design, name }} game=${drawing.game} />
    ${name ? html`<figcaption><span>${name}</span>${children}</figcaption>` : html`<figcaption class="sr">${t("face_down")}</figcaption>`}</figure>`;
};

/** @param {{pile: any, drawing: Drawing}} props a pile as its top card with the number of cards */
export const Stack = ({ pile, drawing }) => {
  const top = pile.cards.at(-1), design = top?.card ? drawing.cards[top.card] : null;
  return html`<figure class=${`lies ${pile.count === 0 ? "empty" : ""}`}><${Face} design=${design && { ...design, name: say(top.name) }} game=${drawing.game} />
    <figcaption><span>${say(pile.label, drawing.names)}</span> <b class="num">${pile.count ?? "?"}</b></figcaption></figure>`;
};

/** Lines about what card texts have put off, or give for a while: whose it is, the card, when. @param {{lines: {seat: number, card: any, note: string}[], drawing: Drawing}} props */
export const Pending = ({ lines, drawing }) => lines.map(({ seat, card, note }, at) => html`<p class="facts pending" key=${`pending${at}`}><${Who} seat=${seat} drawing=${drawing} />
  <span>${say(card.name ?? drawing.cards[card]?.name)}</span><span class="note">${note}</span></p>`);

/** What is still to come of card texts, as lines. @param {any} board */
export const listLater = (board) => board.later.map((/** @type {any} */ each) => ({ ...each, note: t(`later_${each.when}`) }));

/** What a value that lasts comes to, and how long. @param {any} each @param {Drawing} drawing */
export const describeLasting = (each, drawing) => `${each.value ? `${sign(each.value)}, ` : ""}${t(`until_${each.until}`, { name: nameSeat(each.by ?? 0, drawing.names) })}`;

export const ARROW = `<svg viewBox="0 0 32 20" width="32" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M3 10h25M20 3l8 7-8 7"/></svg>`;

/** Something that goes from one to another. */
export const Arrow = () => html`<${Svg} svg=${ARROW} />`;

/** Return how many cards a row holds, so that all find room in `rows` rows. @param {number} many @param {number} most in one row */
export const fitRows = (many, most) => {
  const rows = Math.max(1, Math.ceil(many / most));
  return { "--n": Math.max(1, Math.ceil(many / rows)), "--rows": rows };
};
