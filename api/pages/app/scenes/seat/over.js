// @ts-check
// The end: who has won.
import { html } from "../../lib/html.js";
import { joinWords, nameSeat, t } from "../../lib/words.js";

/** @param {{followed: import("../../lib/match.js").FollowedMatch, drawing: any}} props */
export function Over({ followed, drawing }) {
  const winners = followed.view?.outcome?.winners ?? [], called = joinWords(winners.map((seat) => nameSeat(seat, drawing.names)));
  const title = winners.includes(/** @type {number} */ (followed.seat)) ? t("you_won") : t("match_over");
  return html`<h1 class="turn">${title}</h1><section class="ref" role="status"><p class="ask">
    ${winners.length === 0 ? t("nobody_wins") : t(winners.length > 1 ? "win" : "wins", { names: called })}</p></section>`;
}
