// @ts-check
// The seats in turn order: colour, shape, letter and name; who is on turn, who is asked, who is away.
import { html } from "../lib/html.js";
import { nameSeat, t } from "../lib/words.js";
import { SeatMark } from "./basic.js";

/**
 * @param {{seats: {seat: number, line?: string}[], names: any, me: number | null, turn: number | null, children?: any}} props
 */
export const Roster = ({ seats, names, me, turn, children }) => html`<header class="top">
  <ol class="order" aria-label=${t("turn_order")}>
    ${seats.map(({ seat, line }) => html`<li key=${seat} class=${seat === turn ? "on" : ""} aria-current=${seat === turn ? "true" : undefined}>
      <${SeatMark} seat=${seat} name=${nameSeat(seat, names)} />
      <span>${nameSeat(seat, names)}${seat === me && html`<span class="sr"> (${t("you")})</span>`}<small>${line}</small></span></li>`)}
  </ol>${children}
</header>`;
