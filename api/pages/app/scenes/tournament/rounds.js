// @ts-check
// The tournament on a big screen: the round with its tables and clocks, and the standings.
import { html } from "../../lib/html.js";
import { findToken, useTournament } from "./following.js";
import { say, t } from "../../lib/words.js";
import { Instead } from "../../parts/basic.js";
import { useGames } from "../../parts/games.js";
import { describeTable, findOpenCall, isLapsed, nameEntrant, Plays, Standings, TableClock } from "./shared.js";

const ROWS = 16, FEW = 8, ROOMY = 4; // of the standings that fit on the screen, and tables that can be drawn large

/** @param {{hash: string}} props the tournament */
export default function Rounds({ hash }) {
  const { view, refusal, isLost } = useTournament(hash, findToken(hash)), games = useGames();
  if (refusal) return html`<${Instead} title=${t("went_wrong")} text=${refusal.message} />`;
  if (!view) return html`<${Instead} />`;
  const one = view.rounds.at(-1), places = (one?.tables.length ?? 0) + (one?.byes.length ?? 0), title = say(games.find((each) => each.name === view.format.game)?.title) || t("tour_title");
  return html`${isLost && html`<div role="alert" class="banner">${t("lost")}</div>`}<main class=${`rounds ${places <= FEW ? "few" : ""} ${places <= ROOMY ? "roomy" : ""}`}><header class="row"><h1 class="grow">${title}</h1><${Plays} view=${view} />
      <span class="ask">${view.status === "registration" ? t("tour_waiting", { n: view.players.length }) : view.status !== "running" ? t(view.status === "withdrawn" ? "tour_withdrawn" : "tour_over")
        : one ? t("tour_round_of", { n: one.round, all: view.planned_rounds || one.round }) : t("tour_pause")}</span></header>
    <div class="sides"><section class="tables">${one && one.tables.map((table) => html`<article class=${`box ${table.final ? "done" : isLapsed(table) ? "lapsed" : findOpenCall(view, one.round, table.table) ? "called" : ""}`} key=${table.table}>
        <div class="row"><b class="grow">${t("tour_table", { n: table.table })}</b><${TableClock} table=${table} /></div>
        ${table.players.map((each) => html`<p key=${each} class=${table.result?.placement[0]?.includes(each) ? "winner" : ""}>${nameEntrant(view, each)}</p>`)}
        <small>${describeTable(view, table)}</small></article>`)}
      ${one && one.byes.map((each) => html`<article class="box done" key=${`bye${each}`}><b>${t("tour_bye")}</b><p>${nameEntrant(view, each)}</p></article>`)}
      ${!one && html`<ul class="list">${view.players.map((each) => html`<li class="person" key=${each.player}><b>${nameEntrant(view, each.player)}</b></li>`)}</ul>`}</section>
      ${view.standings.length > 0 && html`<aside><h2>${t("tour_standings")}</h2><${Standings} drawing=${{ view }} most=${ROWS} /></aside>`}</div></main>`;
}
