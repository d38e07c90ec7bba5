// @ts-check
// The officials' desk: what waits, rulings on results, penalties, appeals, deck checks.
import { call, matchPath } from "../../lib/api.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { tournamentPath } from "./following.js";
import { say, t } from "../../lib/words.js";
import { Toggle } from "../../parts/basic.js";
import { callOrFail, describeTable, isLapsed, joinEntrants, lend, nameEntrant, nameOfficer, TableClock } from "./shared.js";
import { CardForm } from "./cards.js";
import { Outcomes } from "./outcomes.js";

/** @typedef {import("./shared.js").Drawing} Drawing */
/** @typedef {import("./following.js").Schemas} Schemas */

const GRADES = ["caution", "warning", "game_loss", "match_loss", "disqualification"], MINUTES = [3, 5, 10];

/** Return what an official of this device is in a match. @param {import("./following.js").View} view */
const findRole = (view) => (view.you.host ? "host" : "arbiter");

/** @param {{drawing: Drawing, queue: Schemas["QueueItem"][], me: number}} props `me` is the number of one's appointment */
export function Desk({ drawing, queue, me }) {
  const { view } = drawing, one = view.rounds.at(-1), open = view.appeals.filter((each) => each.stage === "open");
  const office = view.officials.find((each) => each.officer === me)?.office, rules = office !== "committee";
  return html`<section class="stack"><h2 class="grp">${t("tour_queue")}</h2>
      ${queue.length === 0 && html`<p class="note" role="status">${t("tour_calm")}</p>`}
      ${queue.map((item) => html`<${Item} key=${item.item} drawing=${drawing} item=${item} me=${me} />`)}</section>
    ${open.length > 0 && html`<section class="stack"><h2 class="grp">${t("tour_appeals")}</h2>${open.map((each) => html`<${AppealCase} key=${each.appeal} drawing=${drawing} appeal=${each} me=${me} />`)}</section>`}
    ${rules && view.rounds.filter((each) => each === one || !each.closed).map((each) => html`<section class="stack" key=${each.round}><h2 class="grp">${t("tour_round", { n: each.round })}</h2>${each.tables.map((table) => html`<${DeskTable} key=${`${each.round}.${table.table}`} drawing=${drawing} round=${each.round} table=${table} me=${me} />`)}</section>`)}
    ${view.can.includes("tournament.penalize") && html`<${PenaltyForm} drawing=${drawing} />`}
    <${Ledger} drawing=${drawing} me=${me} office=${office} />
    ${view.can.includes("tournament.check_deck") && view.format.decks !== "none" && html`<${DeckForm} drawing=${drawing} />`}`;
}

/** @param {{drawing: Drawing, item: Schemas["QueueItem"], me: number}} props */
function Item({ drawing, item, me }) {
  const { send, view, names } = drawing, isMine = item.claimed_by === me, parts = item.item.split(":"), number = Number(parts.at(-1)), isOfMatch = parts.length > 2; // else the call was made to the table
  /** @param {string} match */
  const answer = (match) => callOrFail(drawing, "POST", `${matchPath(match)}/calls/${number}/answer`);
  return html`<article class=${`box stack ${isMine ? "mine" : ""}`}><p><b>${say(item.says, names)}</b> <small>${t("tour_minutes", { n: Math.floor(item.age_ms / 60_000) })}</small></p>
    ${item.claimed_by !== null && html`<p class="note">${isMine ? t("tour_mine") : t("tour_claimed", { name: nameOfficer(view, item.claimed_by) })}</p>`}
    <div class="grid2">${(item.claimed_by === null || isMine) && html`<button class=${isMine ? "" : "call"} onClick=${() => send({ type: "tournament.claim", item: item.item, release: isMine })}>${t(isMine ? "tour_release" : "tour_claim")}</button>`}
      ${item.kind === "call" && html`<button class="solid" onClick=${() => (isOfMatch && item.match ? answer(item.match) : send({ type: "tournament.end_call", call: number }))}>${t("call_answered")}</button>`}
      ${item.match && html`<a class="btn" href=${`/desk#${item.match}`} onClick=${() => lend(drawing, item.match, findRole(view), null)}>${t(item.kind === "dispute" ? "tour_dispute" : "tour_desk")}</a>`}</div></article>`;
}

/** @param {{drawing: Drawing, round: number, table: Schemas["TournamentTable"], me: number}} props */
function DeskTable({ drawing, round, table }) {
  const { send, view } = drawing, [because, setBecause] = useState(""), [gone, setGone] = useState(/** @type {number[]} */ ([]));
  const place = { round, table: table.table }, left = table.players.filter((each) => !gone.includes(each));
  /** @param {number[][]} placement */
  const rule = (placement) => because.trim() && send({ type: "tournament.rule_result", ...place, placement, forfeits: gone, because: because.trim() });
  return html`<details><summary><span class="grow">${t("tour_table", { n: table.table })}: ${joinEntrants(view, table.players)} <small>${describeTable(view, table)}</small></span> <${TableClock} table=${table} /></summary>
    <div class="stack">${table.match && html`<a class="btn wide" href=${`/table#${table.match}`} onClick=${() => lend(drawing, table.match, findRole(view), null)}>${t("tour_watch")}</a>`}
      ${table.ends_at && !table.final && html`<div class="grid3">${MINUTES.map((minutes) => html`<button key=${minutes} onClick=${() => send({ type: "tournament.add_time", ...place, extra_ms: minutes * 60_000 })}>${t("tour_time", { n: minutes })}</button>`)}</div>`}
      <label>${t("tour_because")}<input value=${because} maxlength="500" onInput=${(/** @type {any} */ event) => setBecause(event.target.value)} /></label>
      ${table.players.map((each) => html`<${Toggle} key=${each} on=${gone.includes(each)} onClick=${() => setGone(gone.includes(each) ? gone.filter((other) => other !== each) : [...gone, each])}>${t("tour_forfeit", { name: nameEntrant(view, each) })}<//>`)}
      ${isLapsed(table) && because.trim() && html`<button class="wide solid" onClick=${() => send({ type: "tournament.reopen_table", ...place, because: because.trim() })}>${t("tour_rematch")}</button>`}
      ${because.trim() && (gone.length > 0 ? html`<button class="wide solid" onClick=${() => rule(left.map((each) => [each]))}>${t("tour_rule_now")}</button>`
        : html`<${Outcomes} drawing=${drawing} table=${table} title=${t("tour_rule")} onChoose=${rule} />`)}</div></details>`;
}

/** @param {{drawing: Drawing}} props */
function PenaltyForm({ drawing }) {
  const { send, view, id, token } = drawing, [player, setPlayer] = useState(/** @type {number | null} */ (null));
  const [offered, setOffered] = useState(/** @type {Schemas["PenaltyProposal"][]} */ ([])), [infraction, setInfraction] = useState(""), [grade, setGrade] = useState("");
  const [fix, setFix] = useState(""), [because, setBecause] = useState("");
  useEffect(() => {
    if (player === null) return;
    let isCurrent = true;
    call("GET", tournamentPath(id, `/players/${player}/penalty-proposals`), { token }).then(({ items }) => isCurrent && setOffered(items), () => {});
    return () => void (isCurrent = false);
  }, [player, view.version]);
  const chosen = offered.find((each) => each.infraction === infraction), given = grade || chosen?.proposed;
  /** @param {Event} event */
  async function penalize(event) {
    event.preventDefault();
    if (await send({ type: "tournament.penalize", player, infraction, grade: given, fix: fix.trim(), because: because.trim() })) setPlayer(null), setInfraction(""), setGrade(""), setFix(""), setBecause("");
  }
  return html`<details><summary>${t("tour_penalize")}</summary><form class="form" onSubmit=${penalize}>
    <label>${t("tour_who")}<select required value=${player ?? ""} onChange=${(/** @type {any} */ event) => setPlayer(event.target.value === "" ? null : Number(event.target.value))}><option value=""></option>
      ${view.players.filter((each) => each.status === "playing").map((each) => html`<option key=${each.player} value=${each.player}>${nameEntrant(view, each.player)}</option>`)}</select></label>
    ${player !== null && html`<label>${t("tour_what")}<select required value=${infraction} onChange=${(/** @type {any} */ event) => (setInfraction(event.target.value), setGrade(""))}><option value=""></option>
      ${offered.map((each) => html`<option key=${each.infraction} value=${each.infraction}>${say(each.says)}</option>`)}</select></label>`}
    ${chosen && html`<${Ladder} proposal=${chosen} />
      <fieldset><legend class="grp">${t("tour_grade")}</legend><div class="stack">${GRADES.map((each) => html`<${Toggle} key=${each} on=${given === each} onClick=${() => setGrade(each)}>${t(`grade_${each}`)}<//>`)}</div></fieldset>
      ${given !== chosen.proposed && html`<label>${t("tour_other_grade")}<input value=${because} required maxlength="500" onInput=${(/** @type {any} */ event) => setBecause(event.target.value)} /></label>`}
      <label>${t("tour_fix")}<input value=${fix} maxlength="500" onInput=${(/** @type {any} */ event) => setFix(event.target.value)} /></label>
      <p class="box stack" role="status"><b>${t("tour_about_to", { name: nameEntrant(view, /** @type {number} */ (player)), what: say(chosen.says), grade: t(`grade_${given}`) })}</b><span>${t(`cost_${given}`)}</span></p>
      <button class="wide solid">${t("tour_give")}: ${t(`grade_${given}`)}</button>`}</form></details>`;
}

/** How an infraction is punished the first time, the second, and so on; the case at hand is marked. @param {{proposal: Schemas["PenaltyProposal"]}} props */
function Ladder({ proposal: { ladder, before } }) {
  const at = Math.min(before.length, ladder.length - 1);
  return html`<p class="note">${t("tour_case_now", { n: before.length + 1 })}</p><ol class="ladder">${ladder.map((grade, step) => html`<li key=${step} class=${step === at ? "on" : step < at ? "past" : ""} aria-current=${step === at ? "step" : undefined}>
    <small>${t(step === ladder.length - 1 ? "tour_case_on" : "tour_case", { n: step + 1 })}</small> ${t(`grade_${grade}`)}</li>`)}</ol>`;
}

/** All penalties so far. @param {{drawing: Drawing, me: number, office: string | undefined}} props */
function Ledger({ drawing, me, office }) {
  const { send, view } = drawing, [because, setBecause] = useState("");
  if (view.penalties.length === 0) return null;
  return html`<details><summary>${t("tour_penalties")} (${view.penalties.length})</summary><div class="stack">
    <label>${t("tour_because")}<input value=${because} maxlength="500" onInput=${(/** @type {any} */ event) => setBecause(event.target.value)} /></label>
    ${view.penalties.map((each) => html`<article class="box" key=${each.penalty}><p><b>${nameEntrant(view, each.player)}</b>: ${each.says && `${say(each.says)}, `}${t(`grade_${each.grade}`)} <small>${each.stage === "given" ? "" : t(`tour_${each.stage}`)}</small></p>${each.fix && html`<p>${each.fix}</p>`}
      ${each.stage === "given" && because.trim() && (each.officer === me || office === "head") && html`<button onClick=${() => send({ type: "tournament.expunge", penalty: each.penalty, because: because.trim() })}>${t("tour_expunge")}</button>`}</article>`)}</div></details>`;
}

/** @param {{drawing: Drawing, appeal: Schemas["Appeal"], me: number}} props */
function AppealCase({ drawing, appeal, me }) {
  const { send, view } = drawing, penalty = view.penalties.find((each) => each.penalty === appeal.about), mayVote = appeal.committee.includes(me);
  return html`<article class="box stack"><p><b>${appeal.player === null ? "" : nameEntrant(view, appeal.player)}</b> ${penalty && html`${penalty.says && `${say(penalty.says)}, `}${t(`grade_${penalty.grade}`)}`} <small>${nameOfficer(view, appeal.ruled_by)}</small></p>${appeal.reason && html`<p>${appeal.reason}</p>`}
    ${appeal.ruled_by === me ? html`<p class="note">${t("tour_ruled_self")}</p>` : appeal.voted.includes(me) ? html`<p class="note">${t("tour_voted")}</p>`
      : mayVote && html`<div class="grid2">${[false, true].map((overturn) => html`<button key=${overturn} onClick=${() => send({ type: "tournament.vote", appeal: appeal.appeal, overturn })}>${t(overturn ? "tour_overturn" : "tour_uphold")}</button>`)}</div>`}</article>`;
}

/** Compare counted cards with the deposited deck. @param {{drawing: Drawing}} props */
function DeckForm({ drawing }) {
  const { send, view } = drawing, [player, setPlayer] = useState(""), checks = view.checks.slice(-3).reverse();
  /** @param {Record<string, number>} cards */
  const list = (cards) => Object.entries(cards).map(([card, count]) => `${count} ${card}`).join(", ") || t("tour_nothing");
  return html`<details><summary>${t("tour_deck")}</summary><${CardForm} drawing=${drawing} label=${t("tour_deck_cards")} button=${t("tour_deck")} onSend=${(/** @type {Record<string, number>} */ cards) => send({ type: "tournament.check_deck", player: Number(player), cards })}>
      <label>${t("tour_who")}<select required value=${player} onChange=${(/** @type {any} */ event) => setPlayer(event.target.value)}><option value=""></option>${view.players.filter((each) => each.deck).map((each) => html`<option key=${each.player} value=${each.player}>${nameEntrant(view, each.player)}</option>`)}</select></label><//>
    ${checks.map((each) => html`<p class="box" key=${each.check}><span><b>${nameEntrant(view, each.player)}</b>: ${each.matches ? t("tour_deck_same") : t("tour_deck_other", { missing: list(each.missing), foreign: list(each.foreign) })}</span></p>`)}</details>`;
}
