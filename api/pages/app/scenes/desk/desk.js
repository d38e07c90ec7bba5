// @ts-check
// The arbiter's desk: the tables of which this device holds an office, and what has to be decided at one of them.
import "./texts.js";
import { call, matchPath, Refused } from "../../lib/api.js";
import { listDisputes, loadDecisions, stepPath } from "../../lib/court.js";
import { findSeat, listSeats } from "../../lib/device.js";
import { useMatch } from "../../lib/follow.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { joinWords, nameSeat, say, t } from "../../lib/words.js";
import { Clause, Instead, Toggle } from "../../parts/basic.js";
import { CallNote } from "../../parts/called.js";
import { useCards, useGames } from "../../parts/games.js";
import { ProblemSheet } from "../../parts/ruling.js";
import { Case, useDispute } from "../dispute/case.js";
import { useDisputes } from "../dispute/dispute.js";
import { RemedyCard } from "../dispute/remedies.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {"arbiter" | "host"} Role */

/** @type {Role[]} */
const OFFICES = ["arbiter", "host"];
const AGAIN = 15_000; // milliseconds between two looks at the tables of the list
const SHOWN = 5; // settled disputes

/** @param {{hash: string}} props the match; empty: all of them */
export default function Desk({ hash }) {
  const role = OFFICES.find((each) => findSeat(hash, each));
  if (hash && role) return html`<${Table} match=${hash} role=${role} />`;
  const offices = listOffices();
  return html`<main class="court"><div class="row"><h1 class="grow">${t("desk_title")}</h1><a class="btn" href="/">${t("desk_home")}</a></div>
    ${offices.length === 0 ? html`<p class="ask">${t("desk_none")}</p>` : html`<ul class="list">${offices.map((each) => html`<${Office} key=${each.match} saved=${each} />`)}</ul>`}</main>`;
}

/** Return the matches whose arbiter this device is, the newest first. @returns {import("../../lib/device.js").SavedSeat[]} */
export const listOffices = () => listSeats().filter((each) => each.role === "arbiter").slice(0, 20);

/** A table in the list, with the number of its open disputes. @param {{saved: import("../../lib/device.js").SavedSeat}} props */
function Office({ saved }) {
  const games = useGames(), [open, setOpen] = useState(/** @type {number | null} */ (null)), [isCalled, setCalled] = useState(false);
  useEffect(() => {
    const look = () => Promise.all([listDisputes({ match: saved.match, seat: null, token: saved.token }), call("GET", matchPath(saved.match), { token: saved.token })])
      .then(([found, { call: called }]) => (setOpen(found.filter((each) => each.open).length), setCalled(called !== null)), () => {}); // it keeps what it knew while the line is down
    look();
    const timer = setInterval(look, AGAIN);
    return () => clearInterval(timer);
  }, [saved.match]);
  return html`<li><a class=${`btn wide ${open || isCalled ? "call" : ""}`} href=${`/desk#${saved.match}`}><b>${say(games.find((each) => each.name === saved.game)?.title) || saved.game}</b>
    <small>${isCalled ? t("desk_called") : open === null ? t("loading") : open === 0 ? t("desk_calm") : t(open === 1 ? "desk_one_open" : "desk_open", { n: open })}</small></a></li>`;
}

/** @param {{match: string, role: Role}} props */
function Table({ match, role }) {
  const saved = /** @type {import("../../lib/device.js").SavedSeat} */ (findSeat(match, role));
  const viewer = { match, seat: null, token: saved.token }, followed = useMatch(viewer), { about, view, names, refusal } = followed;
  const cards = useCards(about?.game, about?.edition), games = useGames(), disputes = useDisputes(viewer, followed.version);
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const officials = useOfficials(viewer, followed.version);
  if (refusal) return html`<${Instead} title=${t("went_wrong")} text=${refusal.message} />`;
  if (!about || !disputes || !officials) return html`<${Instead} />`;
  const drawing = { game: about.game, cards, names, me: null };

  /** @param {string} path @param {any} body */
  async function send(path, body) {
    try {
      return await followed.send(path, body, { ifMatch: followed.version });
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      setProblem(failure.problem ?? { title: failure.message });
      return null;
    }
  }
  const open = disputes.filter((each) => each.open), settled = disputes.filter((each) => !each.open).slice(0, SHOWN);
  /** @param {Schemas["DisputeRecord"]} record */
  const draw = (record) => html`<${Case} key=${record.dispute} followed=${followed} viewer=${viewer} drawing=${drawing} record=${record} questions=${[]} send=${send}>
    <${RulingForm} viewer=${viewer} version=${followed.version} record=${record} role=${role} drawing=${drawing} send=${send} /><//>`;
  return html`<main class="court"><div class="row"><h1 class="grow">${say(games.find((each) => each.name === about.game)?.title) || t("desk_title")}</h1><a class="btn" href=${about.tournament ? `/tournament#${about.tournament}` : "/desk"}>${t(about.tournament ? "to_tournament" : "desk_title")}</a></div>
    <${Standing} officials=${officials.filter((each) => each.role === role && !each.left)} names=${names} />
    <${CallNote} followed=${followed}>${officials.some((each) => each.role === role && each.decides) && html`<button class="wide solid" onClick=${() => send(`${matchPath(match)}/calls/${about.call?.call}/answer`, undefined)}><b>${t("call_answered")}</b></button>`}<//>
    ${open.length === 0 && !about.call && html`<p class="ask" role="status">${t("desk_calm")}</p>`}
    ${open.map(draw)}
    <${Decisions} viewer=${viewer} version=${followed.version} drawing=${drawing} />
    ${settled.length > 0 && html`<section class="stack"><h2 class="grp">${t("court_settled")}</h2>${settled.map(draw)}</section>`}
    <div class="grid2"><a class="btn" href=${`/table#${match}`}>${t("desk_table")}</a><a class="btn" href=${`/history#${match}`}>${t("history")}</a></div>
  </main>${problem && html`<${ProblemSheet} problem=${problem} onClose=${() => setProblem(null)} />`}`;
}

/** Whether all have accepted the official, and who has not. @param {{officials: Schemas["Official"][], names: Record<string, string>}} props */
function Standing({ officials, names }) {
  if (officials.length === 0) return html`<p class="ask" role="status">${t("desk_office_none")}</p>`;
  return html`${officials.map((each) => html`<p class="note" role="status" key=${each.official}>${each.decides ? t("desk_decides")
    : t("desk_waits", { names: joinWords([...each.asks, ...each.refused].map((seat) => nameSeat(seat, names))) })}</p>`)}`;
}

/** House rulings and recorded deviations. @param {{viewer: import("../../lib/court.js").Viewer, version: number, drawing: any}} props */
function Decisions({ viewer, version, drawing }) {
  const [found, setFound] = useState(/** @type {Awaited<ReturnType<typeof loadDecisions>> | null} */ (null));
  useEffect(() => {
    let isCurrent = true;
    loadDecisions(viewer).then((decisions) => isCurrent && setFound(decisions), () => {});
    return () => void (isCurrent = false);
  }, [viewer.match, version]);
  if (!found) return null;
  const { precedents, deviations } = found, { names, game } = drawing;
  /** @param {any} each */
  const cite = (each) => each.clauses.map((/** @type {any} */ clause) => html`<${Clause} clause=${clause} names=${names} game=${game} />`);
  return html`<details><summary>${t("desk_precedents")} (${precedents.length})</summary>
      ${precedents.length === 0 ? html`<p class="note">${t("desk_nothing")}</p>` : precedents.map((each) => html`<article class="box"><p>${each.statement}</p>${cite(each)}</article>`)}</details>
    <details><summary>${t("desk_deviations")} (${deviations.length})</summary>
      ${deviations.length === 0 ? html`<p class="note">${t("desk_nothing")}</p>` : deviations.map((each) => html`<article class="box"><p>${each.reason}</p>${cite(each)}</article>`)}</details>`;
}

/** Return the officials as they stand at this version. @param {import("../../lib/court.js").Viewer} viewer @param {number} version */
function useOfficials(viewer, version) {
  const [found, setFound] = useState(/** @type {Schemas["Official"][] | null} */ (null));
  useEffect(() => {
    let isCurrent = true;
    call("GET", matchPath(viewer.match), viewer).then((about) => isCurrent && setFound(about.officials), () => {});
    return () => void (isCurrent = false);
  }, [viewer.match, version]);
  return found;
}

/**
 * What an official decides: whether it was right, what happens now, and why.
 * @param {{viewer: import("../../lib/court.js").Viewer, version: number, record: Schemas["DisputeRecord"], role: "arbiter" | "host", drawing: any,
 *   send: (path: string, body: any) => Promise<any>}} props
 */
function RulingForm({ viewer, version, record, role, drawing, send }) {
  const dispute = useDispute(viewer, record.dispute, version), last = record.rulings.at(-1);
  const [upheld, setUpheld] = useState(/** @type {boolean | null} */ (null));
  const [remedy, setRemedy] = useState(""), [reason, setReason] = useState(""), [keep, setKeep] = useState(false);
  if (!dispute || !dispute.steps.some((each) => each.step === "rulings" && each.by.includes(role))) return null;
  const isOverruling = !record.open;
  const options = dispute.remedies.filter((each) => each.remedy !== "partial_fix" || each.offered); // else nobody has said what is right
  const isReady = upheld !== null && remedy !== "" && reason.trim() !== "";
  /** @param {Event} event */
  async function rule(event) {
    event.preventDefault();
    if (remedy === "void" && !confirm(t("desk_void_sure"))) return;
    const clauses = (last?.clauses ?? []).map((each) => each.id).slice(0, 8);
    await send(stepPath(viewer.match, record.dispute, "rulings"), {
      upheld, remedy, reason: reason.trim(), keep, ...(clauses.length > 0 ? { clauses } : {}), ...(remedy === "void" ? { confirm: true } : {}) });
  }
  const form = html`<form class="form ruling-form" onSubmit=${rule}>
    <fieldset><legend class="grp">${t("desk_verdict")}</legend><div class="grid2">
      <${Toggle} on=${upheld === true} onClick=${() => setUpheld(true)}>${t("desk_stands")}<//><${Toggle} on=${upheld === false} onClick=${() => setUpheld(false)}>${t("desk_not_stands")}<//></div></fieldset>
    <fieldset class="stack"><legend class="grp">${t("desk_and_now")}</legend>
      ${options.map((each) => html`<${RemedyCard} key=${each.remedy} viewer=${viewer} dispute=${dispute} remedy=${each} drawing=${drawing} isFirst=${remedy === each.remedy} isMine=${false} isOpen
        onTap=${async () => setRemedy(each.remedy)} />`)}</fieldset>
    <label>${t("desk_reason")}<input value=${reason} required maxlength="500" onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></label>
    <${Toggle} on=${keep} onClick=${() => setKeep(!keep)}>${t("desk_keep")}<//>
    <button class="wide solid" disabled=${!isReady}><b>${t("desk_rule")}</b></button></form>`;
  return isOverruling ? html`<details><summary>${t("desk_undo")}</summary>${form}</details>` : form;
}
