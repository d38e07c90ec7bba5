// @ts-check
// The table on a big screen: public eyes, no scrolling.
import { announceWinners, findDrawer, readBoard } from "../../boards/boards.js";
import { listSeats } from "../../lib/device.js";
import { useMatch } from "../../lib/follow.js";
import { html } from "../../lib/html.js";
import { joinWords, nameSeat, say, t } from "../../lib/words.js";
import { Evenness } from "../../parts/after.js";
import { ConnectionBanner, Countdown, Instead } from "../../parts/basic.js";
import { findEntryText } from "../../parts/entry.js";
import { CallNote } from "../../parts/called.js";
import { useCards, useGames } from "../../parts/games.js";
import { useMotion } from "./motion.js";

/** @param {{hash: string}} props the match */
export default function Screen({ hash }) {
  const own = listSeats().filter((each) => each.match === hash), saved = own.find((each) => each.seat === null) ?? own[0]; // any of them lets its bearer see what is public
  const followed = useMatch({ match: hash, seat: null, token: saved?.token });
  const { about, view, names, entries, deadline, refusal, connection } = followed;
  const cards = useCards(about?.game, about?.edition), games = useGames();
  useMotion(entries, view?.version);
  if (refusal) return html`<${Instead} title=${t("went_wrong")} text=${refusal.message} />`;
  if (about?.status === "lobby") return html`<main class="home"><h1>${t("lobby_title")}</h1><ul class="list">${about.seats.map((each) => html`<li class="person" key=${each.seat}><b>${each.taken || each.kind === "bot" ? nameSeat(each.seat, names) : t("lobby_free")}</b></li>`)}</ul></main>`;
  if (about?.status === "withdrawn") return html`<${Instead} title=${t("lobby_closed")} />`;
  if (!about || !view?.board) return html`<${Instead} />`;
  const board = readBoard(view), drawer = findDrawer(about.game), drawing = { game: about.game, cards, names, me: null };
  const spoken = html`<${CallNote} followed=${followed} /><section class="ref" aria-live="polite">${!view.outcome && html`<${drawer.Running} board=${board} drawing=${drawing} />`}
      <p class="ask">${view.outcome ? say(/** @type {any} */ (view.outcome.reason), names) : describeWaiting(view.awaits, names)}</p><${Countdown} deadline=${deadline} />
      ${about.asleep && about.version === view.version && html`<p class="note">${t("asleep")}</p>`}
      ${view.outcome && html`<${Evenness} match=${hash} token=${saved?.token} isSmall />`}</section>`;
  return html`<${ConnectionBanner} connection=${connection} /><main data-version=${view.version} class=${drawer.takesPanel ? "big" : "big stacked"}><header class="row"><h1 class="grow">${view.outcome ? announceWinners(view.outcome, about.variant, names) : board.turn === null ? say(games.find((each) => each.name === about.game)?.title) : t("turn_of", { name: nameSeat(board.turn, names) })}</h1>
      <span class="note">${t("watch_here", { address: location.host })}</span></header>
    <h2 class="sr">${t("table")}</h2>
    ${drawer.takesPanel ? html`<${drawer.Screen} board=${board} drawing=${drawing}>${spoken}<//>` : html`${spoken}<${drawer.Screen} board=${board} drawing=${drawing} />`}
    <footer class="ticker">${entries.map((entry) => [entry.version, findEntryText(entry, names)]).filter(([, text]) => text).slice(-3).reverse().map(([version, text], at) => html`<span class=${at === 0 ? "newest" : ""} key=${version}>${text}</span>`)}</footer></main>`;
}

/** Say who is awaited. @param {any[]} awaits @param {Record<string, string>} names */
function describeWaiting(awaits, names) {
  const seats = awaits.filter((each) => typeof each === "number");
  return seats.length > 0 ? t("waiting_for", { names: joinWords(seats.map((seat) => nameSeat(seat, names))) }) : awaits.includes("chance") ? t("report_now") : "";
}
