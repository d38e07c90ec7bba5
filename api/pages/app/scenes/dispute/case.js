// @ts-check
// A dispute: the verdict to read aloud, what stood and what should have, what each remedy keeps and drops, and everybody's taps.
import { findDrawer } from "../../boards/boards.js";
import { loadBoard, loadDispute, stepPath } from "../../lib/court.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { joinWords, nameSeat, say, t } from "../../lib/words.js";
import { AnswerButton } from "../../parts/asked.js";
import { Clause, Die, Svg } from "../../parts/basic.js";
import { findEntryText } from "../../parts/entry.js";
import { Remedies } from "./remedies.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

const LOUD = `<svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M3 8v4h3l5 4V4L6 8zM14 7.500q2 2.500 0 5M16.500 5q4 5 0 10"/></svg>`;
const ARROW = `<svg width="26" height="20" viewBox="0 0 26 20" fill="none" stroke="currentColor" stroke-width="2.600" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M2 10h21M16 3l7 7-7 7"/></svg>`;

/**
 * @param {{followed: {version: number}, viewer: import("../../lib/court.js").Viewer, drawing: any, record: Schemas["DisputeRecord"],
 *   questions: Schemas["TableQuestion"][], send: (path: string, body: any) => Promise<any>, children?: any}} props
 */
export function Case({ followed, viewer, drawing, record, questions, send, children }) {
  const dispute = useDispute(viewer, record.dispute, followed.version), { names } = drawing, me = viewer.seat;
  const shown = dispute ?? record, ruling = shown.rulings.at(-1), match = viewer.match;
  const canDo = (/** @type {string} */ step) => me !== null && shown.steps.some((each) => each.step === step && each.by.includes(me));
  const others = shown.asks.filter((seat) => seat !== me);
  /** @param {string} step @param {any} body */
  const take = (step, body) => send(stepPath(match, shown.dispute, step), body);
  return html`<article class="case" data-dispute=${shown.dispute} data-stage=${shown.stage}>
    ${dispute?.disputed && html`<p class="hit-entry"><span class="num">${shown.about}</span> ${findDisputed(dispute, names)}</p>`}
    <section class="ref" role="alert"><p class="say"><${Svg} svg=${LOUD} />${t("court_aloud")}</p>
      <p class="ask">${say(shown.says, names)} ${" "}${ruling && say(ruling.reason, names)}</p>
      <${Flip} before=${dispute?.disputed?.move?.move} after=${shown.move} drawing=${drawing} />
      ${ruling?.clauses[0] && html`<${Clause} clause=${ruling.clauses[0]} names=${names} game=${drawing.game} />`}
      ${(ruling?.clauses.length ?? 0) > 1 && html`<details><summary>${t("court_more_clauses")}</summary>${ruling?.clauses.slice(1).map((clause) => html`<${Clause} clause=${clause} names=${names} game=${drawing.game} />`)}</details>`}
      <p class="note">${say(shown.now, names)}</p></section>
    ${questions.filter((each) => !each.path.endsWith("/votes")).map((question) => html`<section class="stack"><h2 class="grp">${say(question.asks, names)}</h2>
      <div class="grid2">${question.answers.map((answer) => html`<${AnswerButton} key=${JSON.stringify(answer.body)} label=${say(answer.says, names)} onTap=${() => send(question.path, answer.body)} />`)}</div></section>`)}
    ${dispute && shown.stage === "voting" && html`<${Remedies} viewer=${viewer} dispute=${dispute} drawing=${drawing} answers=${questions.flatMap((each) => (each.path.endsWith("/votes") ? each.answers : []))}
      canVote=${canDo("votes")} onVote=${(/** @type {any} */ body) => take("votes", body)} />`}
    ${children}
    ${others.length > 0 && html`<p class="note" role="status">${t("court_missing", { names: joinWords(others.map((seat) => nameSeat(seat, names))) })}</p>`}
    ${dispute && shown.about > 0 && html`<${BeforeAndAfter} viewer=${viewer} version=${shown.about} drawing=${drawing} />`}
    ${canDo("appeals") && html`<${Appeal} seat=${me} onAppeal=${(/** @type {any} */ body) => take("appeals", body)} />`}
    ${canDo("withdrawal") && html`<button class="wide" onClick=${() => take("withdrawal", undefined)}>${t("court_withdraw")}</button>`}
  </article>`;
}

/** @param {Schemas["Dispute"]} dispute @param {any} names */
const findDisputed = (dispute, names) => {
  const { move, events } = /** @type {Schemas["Explanation"]} */ (dispute.disputed);
  return findEntryText(/** @type {any} */ ({ move: { told: move?.told }, events }), names);
};

/** What was reported, and what is said to have been right. @param {{before: any, after: any, drawing: any}} props */
function Flip({ before, after, drawing }) {
  if (!before || !after || before.type !== after.type) return null;
  if (Array.isArray(before.values)) return html`<div class="flip"><${Dice} values=${before.values} isWrong /><${Svg} svg=${ARROW} /><${Dice} values=${after.values} /></div>`;
  const fields = Object.keys(after).filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]));
  /** @param {any} value */
  const name = (value) => [value].flat().map((each) => say(drawing.cards[each]?.name) || String(each)).join(", ");
  return html`<div class="flip">${fields.map((field) => html`<span><s>${name(before[field])}</s> → <b>${name(after[field])}</b></span>`)}</div>`;
}

/** @param {{values: number[], isWrong?: boolean}} props */
const Dice = ({ values, isWrong = false }) => html`<span class="row"><span class="dice">${values.map((value) => html`<${Die} value=${value} />`)}</span>
  <b class=${`num ${isWrong ? "wrong" : ""}`}>${isWrong && html`<span class="sr">${t("court_not")} </span>`}${values.reduce((sum, value) => sum + value, 0)}</b></span>`;

/** The table before the entry and after it, once somebody wants to see it. @param {{viewer: import("../../lib/court.js").Viewer, version: number, drawing: any}} props */
function BeforeAndAfter({ viewer, version, drawing }) {
  const [boards, setBoards] = useState(/** @type {(Schemas["BoardView"] | null)[]} */ ([]));
  const load = () => Promise.all([loadBoard(viewer, version - 1), loadBoard(viewer, version)]).then(setBoards, () => setBoards([null]));
  const drawer = findDrawer(drawing.game);
  return html`<details onToggle=${(/** @type {any} */ event) => event.target.open && boards.length === 0 && load()}><summary>${t("court_position")}</summary>
    ${boards.map((each, at) => html`<section><h3 class="grp">${t(at === 0 ? "court_before" : "court_after", { n: version })}</h3>
      ${each?.board ? html`<${drawer.Table} board=${each.board} drawing=${drawing} />` : html`<p class="note">${t("court_hidden")}</p>`}</section>`)}</details>`;
}

/** @param {{seat: number | null, onAppeal: (body: any) => Promise<any>}} props */
function Appeal({ seat, onAppeal }) {
  const [grounds, setGrounds] = useState("");
  return html`<details><summary>${t("court_appeal")}</summary><form class="form" onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); onAppeal({ seat, grounds: grounds.trim() }); }}>
    <label>${t("court_grounds")}<input required maxlength="200" value=${grounds} onInput=${(/** @type {any} */ event) => setGrounds(event.target.value)} /></label>
    <button class="wide"><b>${t("court_appeal_send")}</b></button></form></details>`;
}

/** @param {import("../../lib/court.js").Viewer} viewer @param {number} number @param {number} version */
export function useDispute(viewer, number, version) {
  const [found, setFound] = useState(/** @type {Schemas["Dispute"] | null} */ (null));
  useEffect(() => {
    let isCurrent = true;
    loadDispute(viewer, number).then((dispute) => isCurrent && setFound(dispute), () => {});
    return () => void (isCurrent = false);
  }, [number, version]);
  return found;
}
