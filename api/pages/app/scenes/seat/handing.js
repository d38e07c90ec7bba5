// @ts-check
// Several seats on one phone: hand it on, and the next one taps. Nothing of the other hand is to be seen in between.
import { listSeats } from "../../lib/device.js";
import { html } from "../../lib/html.js";
import { nameSeat, t } from "../../lib/words.js";
import { SeatMark } from "../../parts/basic.js";

/** Return the seats of a match that are played on this device. @param {string} match @returns {number[]} */
export const listOwnSeats = (match) => listSeats().flatMap((each) => (each.match === match && each.seat !== null ? [each.seat] : [])).sort();

/** Return the seat that the phone should be handed to; null: it is in the right hands. @param {import("../../lib/match.js").FollowedMatch} followed @returns {number | null} */
export function findNextHolder({ match, seat, view }) {
  if (!view || view.awaits.includes(/** @type {number} */ (seat))) return null;
  return listOwnSeats(match).find((each) => each !== seat && view.awaits.includes(each)) ?? null;
}

/** @param {{seat: number, names: Record<string, string>, onTaken: () => void}} props */
export const HandOn = ({ seat, names, onTaken }) => html`<main class="home handing"><${SeatMark} seat=${seat} name=${nameSeat(seat, names)} />
  <h1>${t("hand_on", { name: nameSeat(seat, names) })}</h1><button class="call wide tall" onClick=${onTaken}><b>${t("hand_on_tap")}</b></button></main>`;
