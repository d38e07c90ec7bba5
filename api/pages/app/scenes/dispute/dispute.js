// @ts-check
// Something is wrong here: take back, correct, or dispute an entry; then what everybody says and chooses.
import { Refused } from "../../lib/api.js";
import { listDisputes } from "../../lib/court.js";
import { findSeat } from "../../lib/device.js";
import { useMatch } from "../../lib/follow.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { fillNames, t } from "../../lib/words.js";
import { Instead } from "../../parts/basic.js";
import { Questions } from "../../parts/asked.js";
import { useCards } from "../../parts/games.js";
import { ProblemSheet, WhyNot } from "../../parts/ruling.js";
import { Case } from "./case.js";
import { Complaint } from "./complaint.js";

const SHOWN = 3; // settled disputes

/** @param {{hash: string, go: (address: string) => void}} props `hash` is match/seat, or match/seat/version/move after a refusal */
export default function Dispute({ hash, go }) {
  const [match = "", number = "0", at = "", ...rest] = hash.split("/"), seat = Number(number);
  const saved = findSeat(match, `seat:${seat}`);
  if (!saved) return html`<${Instead} title=${t("not_your_seat")} text=${t("not_your_seat_help")} />`;
  return html`<${Room} viewer=${{ match, seat, token: saved.token }} refused=${readRefusedMove(at, rest.join("/"))} go=${go} />`;
}

/** @param {string} at @param {string} text @returns {{at: number, move: any} | null} */
function readRefusedMove(at, text) {
  try {
    return at ? { at: Number(at), move: JSON.parse(text) } : null;
  } catch {
    return null; // the address was shortened by hand: then an entry is chosen
  }
}

/** @param {{viewer: import("../../lib/court.js").Viewer, refused: {at: number, move: any} | null, go: (address: string) => void}} props */
function Room({ viewer, refused, go }) {
  const followed = useMatch(viewer), { about, view, moves, names, refusal } = followed;
  const cards = useCards(about?.game, about?.edition), disputes = useDisputes(viewer, view?.version ?? 0);
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  if (refusal) return html`<${Instead} title=${t("went_wrong")} text=${refusal.message} />`;
  if (!about || !view || !disputes) return html`<${Instead} />`;
  const drawing = { game: about.game, cards, names, me: viewer.seat };

  /** Send something; what is refused is shown with its reason. @param {string} path @param {any} body @param {{ifMatch: number}} [options] */
  async function send(path, body, options) {
    try {
      return await followed.send(path, body, options);
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      setProblem(failure.problem ?? { title: failure.message });
      return null;
    }
  }
  const isNew = refused && !disputes.some((each) => each.claim === "wrong_refusal" && each.about === refused.at);
  const open = disputes.filter((each) => each.open), settled = disputes.filter((each) => !each.open);
  const asked = moves?.asked ?? [], others = asked.filter((each) => !open.some((dispute) => isAbout(each, dispute.dispute)));
  const shared = { followed, viewer, drawing, send };
  return html`${view.status === "disputed" && html`<div class="banner" role="status"><span class="pause" aria-hidden="true"></span>${t("court_rests")}</div>`}
  <main class="court">
    <div class="row"><h1 class="grow">${t("something_wrong")}</h1><a class="btn" href=${`/play#${viewer.match}/${viewer.seat}`}>${t("court_play_on")}</a></div>
    <${Questions} questions=${others} names=${names} onAnswer=${(/** @type {any} */ question, /** @type {any} */ body) => send(question.path, body)} />
    ${open.map((each) => html`<${Case} key=${each.dispute} ...${shared} record=${each} questions=${asked.filter((one) => isAbout(one, each.dispute))} />`)}
    ${(open.length === 0 || about.courts.play_on) && !view.outcome && html`<${Complaint} key=${open.length} ...${shared} refused=${isNew ? refused : null} />`}
    ${settled.length > 0 && html`<section class="stack"><h2 class="grp">${t("court_settled")}</h2>
      ${settled.slice(0, SHOWN).map((each) => html`<${Case} key=${each.dispute} ...${shared} record=${each} questions=${[]} />`)}</section>`}
    <a class="btn wide" href=${`/history#${viewer.match}/${viewer.seat}`}>${t("history")}</a>
  </main>
  ${problem && (problem.ruling ? html`<${WhyNot} title=${fillNames(problem.title, names)} ruling=${problem.ruling} names=${names} game=${about.game} onClose=${() => setProblem(null)} />`
    : html`<${ProblemSheet} problem=${problem} onClose=${() => setProblem(null)} />`)}`;
}

/** @param {import("../../contract").components["schemas"]["TableQuestion"]} question @param {number} dispute */
const isAbout = (question, dispute) => question.about === dispute && question.path.includes(`/disputes/${dispute}/`);

/** Return the disputes at this version, null until they are loaded. @param {import("../../lib/court.js").Viewer} viewer @param {number} version */
export function useDisputes(viewer, version) {
  const [found, setFound] = useState(/** @type {import("../../contract").components["schemas"]["DisputeRecord"][] | null} */ (null));
  useEffect(() => {
    let isCurrent = true;
    if (version > 0) listDisputes(viewer).then((items) => isCurrent && setFound(items), () => isCurrent && setFound((before) => before ?? []));
    return () => void (isCurrent = false);
  }, [viewer.match, version]);
  return found;
}
