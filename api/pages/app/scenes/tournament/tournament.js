// @ts-check
// A tournament on a phone: one's own table and result, the officials' desk, and what the host does.
import "./texts.js";
import { call, matchPath, Refused } from "../../lib/api.js";
import { html, useState } from "../../lib/html.js";
import { findToken, listNames, tournamentPath, useTournament } from "./following.js";
import { say, t } from "../../lib/words.js";
import { Instead } from "../../parts/basic.js";
import { CALL_REASONS } from "../../parts/called.js";
import { useGames } from "../../parts/games.js";
import { ProblemSheet } from "../../parts/ruling.js";
import { CardForm } from "./cards.js";
import { Desk } from "./desk.js";
import { HostControls } from "./host.js";
import { Lobby } from "./lobby.js";
import { BotTables, Outcomes } from "./outcomes.js";
import { callOrFail, describeResult, findOpenCall, isLapsed, lend, nameEntrant, nameOfficer, Plays, Standings, TableClock } from "./shared.js";

/** @typedef {import("./following.js").View} View */
/** @typedef {import("./shared.js").Drawing} Drawing */


/** @param {{hash: string, go: (address: string) => void}} props the tournament; none: those of this device */
export default function Scene({ hash, go }) {
  return hash ? html`<${Tournament} hash=${hash} go=${go} />` : html`<${Lobby} go=${go} />`;
}

/** @param {{hash: string, go: (address: string) => void}} props */
function Tournament({ hash, go }) {
  const token = findToken(hash), { view, queue, refusal, isLost, give } = useTournament(hash, token), games = useGames();
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  if (refusal) return html`<${Instead} title=${t("went_wrong")} text=${refusal.message} />`;
  if (!view) return html`<${Instead} />`;
  const names = listNames(view), title = say(games.find((each) => each.name === view.format.game)?.title) || t("tour_title");

  /** @param {any} command */
  async function send(command) {
    try {
      return await give(command);
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      setProblem(failure.problem ?? { title: failure.message });
      return null;
    }
  }
  /** @type {Drawing} */
  const drawing = { id: hash, token, view, names, send, go, fail: setProblem };
  const { host, player, officer } = view.you, one = view.rounds.at(-1);
  return html`${isLost && html`<div role="alert" class="banner">${t("lost")}</div>`}<main class="court tour">
    <div class="row"><h1 class="grow">${title}</h1><a class="btn" href=${`/rounds#${hash}`}>${t("tour_rounds")}</a></div>
    <p class="ask" role="status">${describeState(view)}</p>
    ${player !== null && html`<${Own} drawing=${drawing} me=${player} />`}
    ${officer !== null && html`<${Desk} drawing=${drawing} queue=${queue} me=${officer} />`}
    ${view.can.includes("tournament.record_result") && html`<${BotTables} drawing=${drawing} />`}
    ${(host || view.officials.some((each) => each.officer === officer && each.office === "head")) && html`<${HostControls} drawing=${drawing} />`}
    ${one && html`<section class="stack"><h2 class="grp">${t("tour_standings")}</h2><${Standings} drawing=${drawing} /></section>`}
    ${!one && html`<details><summary>${t("tour_players")} (${view.players.length})</summary><ul class="list">${view.players.map((each) => html`<li key=${each.player}>${nameEntrant(view, each.player)}</li>`)}</ul></details>`}
  </main>${problem && html`<${ProblemSheet} problem=${problem} onClose=${() => setProblem(null)} />`}`;
}

/** @param {View} view */
function describeState(view) {
  const one = view.rounds.at(-1);
  if (view.status === "registration") return t("tour_waiting", { n: view.players.length });
  if (view.status !== "running") return t(view.status === "withdrawn" ? "tour_withdrawn" : "tour_over");
  if (!one || one.closed) return t("tour_pause");
  return view.planned_rounds ? t("tour_round_of", { n: one.round, all: view.planned_rounds }) : t("tour_round", { n: one.round });
}

/** What concerns a player: the table, its result, calls, penalties. @param {{drawing: Drawing, me: number}} props */
function Own({ drawing, me }) {
  const { view, send } = drawing, own = view.players[me], one = view.rounds.at(-1);
  const table = one?.tables.find((each) => each.players.includes(me)), penalties = view.penalties.filter((each) => each.player === me);
  const asked = view.officials.filter((each) => !each.left && !each.accepted.includes(me));
  if (own?.status !== "playing") return html`<p class="note">${t("tour_left")}</p>`;
  /** @param {Record<string, number>} cards */
  const deposit = (cards) => callOrFail(drawing, "PUT", tournamentPath(drawing.id, `/players/${me}/deck`), { cards });
  return html`<section class="stack">
    ${view.format.decks !== "none" && view.status === "registration" && html`<details open=${!own.deck}><summary>${t(own.deck ? "tour_deck_there" : "tour_deposit")}</summary><${CardForm} drawing=${drawing} label=${t("tour_deck_lines")} button=${t("tour_deposit")} onSend=${deposit} /></details>`}
    ${(!one || one.closed) && ["registration", "running"].includes(view.status) && html`<p class="note">${t("tour_you_wait")}</p>`}
    ${one && !one.closed && one.byes.includes(me) && html`<p class="box">${t("tour_you_bye")}</p>`}
    ${one && table && html`<${OwnTable} key=${`${one.round}.${table.table}`} drawing=${drawing} me=${me} round=${one.round} table=${table} />`}
    ${view.status === "running" && asked.map((each) => html`<button class="wide" key=${each.officer} onClick=${() => send({ type: "tournament.accept_officer", officer: each.officer })}>${t("tour_accept", { name: each.name ?? t(`tour_role_${each.office}`) })}</button>`)}
    ${penalties.length > 0 && html`<h2 class="grp">${t("tour_own_penalties")}</h2>${penalties.map((each) => html`<article class="box" key=${each.penalty}><p><b>${t(`grade_${each.grade}`)}</b>${each.says && `: ${say(each.says)}`} ${each.stage === "expunged" && html`<small>${t("tour_expunged")}</small>`}</p>
      ${each.stage !== "expunged" && html`<p class="note">${t(`cost_${each.grade}`)}</p>`}
      ${each.fix && html`<p>${each.fix}</p>`}${each.stage === "given" && html`<${Appeal} drawing=${drawing} about=${each.penalty} />`}${each.stage === "appealed" && html`<p class="note">${t("tour_appealed")}</p>`}</article>`)}`}
    ${!["finished", "withdrawn"].includes(view.status) && html`<button class="wide quiet" onClick=${() => confirm(t("tour_leave_sure")) && send({ type: "tournament.leave" })}>${t("tour_leave")}</button>`}
  </section>`;
}

/** @param {{drawing: Drawing, me: number, round: number, table: import("./following.js").Schemas["TournamentTable"]}} props */
function OwnTable({ drawing, me, round, table }) {
  const { view, send, token, go, fail } = drawing, others = table.players.filter((each) => each !== me), open = findOpenCall(view, round, table.table);
  const place = { round, table: table.table }, seat = table.players.indexOf(me), isRuled = table.result?.by.startsWith("official:");
  const isPlayed = table.match !== null && !table.result && !isLapsed(table), coming = open && nameOfficer(view, view.claims.find((each) => each.item === `call:${open.call}`)?.officer ?? null);
  /** Call to the match, so that its clock stops as well; where it has no official, to the table. @param {string} reason */
  async function askFor(reason) {
    if (!table.match || !isPlayed) return send({ type: "tournament.call", reason });
    try {
      await call("POST", `${matchPath(table.match, seat)}/calls`, { token, body: { reason } });
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      return failure.kind === "no-official" ? send({ type: "tournament.call", reason }) : fail(failure.problem ?? { title: failure.message });
    }
    lend(drawing, table.match, `seat:${seat}`, seat);
    go(`/play#${table.match}/${seat}`);
  }
  return html`<article class="box stack"><h2>${t("tour_your_table")}: ${table.table}</h2>
    <p>${others.map((each) => nameEntrant(view, each)).join(", ")}</p><p class="row"><${Plays} view=${view} /><span class="end"><${TableClock} table=${table} /></span></p>
    ${isLapsed(table) ? html`<p class="ask" role="status">${t("tour_lapsed_own")}</p>` : !table.result && !table.match && html`<p class="note">${t(view.format.plays === "reported" ? "tour_play_yourselves" : "tour_opening")}</p>`}
    ${table.match && html`<a class=${`btn wide ${isPlayed ? "call tall" : ""}`} href=${`/play#${table.match}/${seat}`} onClick=${() => lend(drawing, table.match, `seat:${seat}`, seat)}><b>${t("tour_play")}</b></a>`}
    ${table.result && html`<p class="ask">${describeResult(view, table)} <small>${t(table.final ? "tour_final" : table.disputed.length > 0 ? "tour_disputed" : "tour_reported")}</small></p>`}
    ${!table.result && view.format.plays === "reported" && html`<${Outcomes} drawing=${drawing} table=${table} title=${t("tour_report")} onChoose=${(/** @type {number[][]} */ placement) => send({ type: "tournament.report", ...place, placement })} />`}
    ${table.result && !table.final && table.disputed.length === 0 && (table.signed.includes(me) ? html`<p class="note">${t("tour_signed")}</p>`
      : html`<div class="grid2">${[true, false].map((agree) => html`<button key=${agree} class=${agree ? "solid" : ""} onClick=${() => send({ type: "tournament.answer_result", ...place, agree })}>${t(agree ? "tour_sign" : "tour_object")}</button>`)}</div>`)}
    ${isRuled && table.result && !view.appeals.some((each) => each.about === table.result?.entry) && html`<${Appeal} drawing=${drawing} about=${table.result.entry} />`}
    ${!table.final && (open ? html`<p class="note" role="status">${t("tour_called")} ${coming && t("call_comes", { name: coming })}</p>${open.player === me && html`<button class="wide" onClick=${() => send({ type: "tournament.end_call", call: open.call })}>${t("call_withdraw")}</button>`}`
      : html`<details><summary>${t("call_title")}</summary><div class="stack">${isPlayed && html`<p class="note">${t("call_help")}</p>`}${CALL_REASONS.map((reason) => html`<button class="wide" key=${reason} onClick=${() => askFor(reason)}>${t(`call_${reason}`)}</button>`)}
          <button class="wide" onClick=${() => send({ type: "tournament.call", reason: "result" })}>${t("tour_why_result")}</button></div></details>
        <button class="wide quiet" onClick=${() => confirm(t("tour_concede_sure")) && send({ type: "tournament.concede" })}>${t("tour_concede")}</button>`)}
  </article>`;
}

/** @param {{drawing: Drawing, about: number}} props */
function Appeal({ drawing, about }) {
  const [reason, setReason] = useState("");
  /** @param {Event} event */
  const send = (event) => (event.preventDefault(), drawing.send({ type: "tournament.appeal", about, reason: reason.trim() }));
  return html`<details><summary>${t("tour_appeal")}</summary><form class="form" onSubmit=${send}><label>${t("tour_appeal_why")}<input value=${reason} required maxlength="500" onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></label>
    <button class="wide solid">${t("tour_appeal")}</button></form></details>`;
}

