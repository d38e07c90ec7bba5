// @ts-check
// The end: who has won and why, how it went, what real dice showed, and one tap to play again.
import { announceWinners } from "../../boards/boards.js";
import { call, findChains, matchPath } from "../../lib/api.js";
import { findSeat, listSeats, saveSeat } from "../../lib/device.js";
import { html } from "../../lib/html.js";
import { nameSeat, say, t } from "../../lib/words.js";
import { Course, Evenness, Standings } from "../../parts/after.js";
import { SeatMark, Tap } from "../../parts/basic.js";

/** @param {{followed: import("../../lib/match.js").FollowedMatch, drawing: any, attempt: any, go: (address: string) => void}} props */
export function Over({ followed, drawing, attempt, go }) {
  const { view, match, seat } = followed, outcome = view?.outcome;
  if (!outcome) return null;
  const isWon = outcome.winners.includes(/** @type {number} */ (seat));
  return html`<h1 class="turn">${isWon ? t("you_won") : t("match_over")}</h1>
    <section class="ref" role="status">
      <p class="ask">${announceWinners(outcome, followed.about?.variant, drawing.names)}. ${" "}${say(/** @type {any} */ (outcome.reason), drawing.names)}</p>
      <ol class="places">${outcome.placement.map((seats, place) => seats.map((each) => html`<li key=${each}><b class="num">${place + 1}.</b>
        <${SeatMark} seat=${each} name=${nameSeat(each, drawing.names)} /> ${nameSeat(each, drawing.names)}</li>`))}</ol>
    </section>
    <${Course} match=${match} token=${followed.token} version=${view.version} drawing=${drawing} />
    <${Evenness} match=${match} token=${followed.token} />
    <${Standings} game=${drawing.game} variant=${followed.about?.variant} />
    ${followed.about?.tournament ? html`<a class="btn call wide tall" href=${`/tournament#${followed.about.tournament}`}><b>${t("to_tournament")}</b></a>`
      : html`<${Tap} kind="call wide tall" onTap=${() => attempt(() => playAgain(followed, go), t("rematch"))}><b>${t("rematch")}</b><small>${t("rematch_small")}</small><//>`}
    <a class="btn wide" href=${`/history#${match}/${seat}`}><b>${t("history")}</b></a>`;
}

/** Open the same match again, and sit down on the seats of this phone that are kept. @param {import("../../lib/match.js").FollowedMatch} followed @param {(address: string) => void} go */
async function playAgain({ match, token, seat, about }, go) {
  const others = listSeats().filter((each) => each.match === match && each.seat !== null && each.seat !== seat), host = findSeat(match, "host");
  let opened = "";
  for (const own of [{ seat, token: /** @type {string} */ (token) }, ...others]) {
    const next = await call("POST", `${matchPath(match)}/rematch`, { token: own.token }), saved = { match: next.match, seat: own.seat, token: own.token, game: about?.game ?? "", at: Date.now() };
    opened = next.match;
    if (host ?? next.role === "host") saveSeat({ ...saved, role: "host", seat: null, token: host?.token ?? own.token });
    if (!next.seats.includes(own.seat)) continue;
    const sit = (/** @type {any[]} */ ...[commitment]) => call("PUT", `${matchPath(next.match)}/seats/${own.seat}/player`, { token: own.token, body: { seed_commitment: commitment } });
    const chains = await findChains(), [sat, chain] = chains ? await chains.takeSeat(sit) : [await sit()];
    saveSeat({ ...saved, role: `seat:${own.seat}`, token: sat?.token ?? own.token, chain });
  }
  go(`/play#${opened}/${seat}`);
}
