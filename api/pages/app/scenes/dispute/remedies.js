// @ts-check
// What may be done about it, the mildest first: what stays, what goes, who is for it.
import { findDrawer } from "../../boards/boards.js";
import { previewRemedy } from "../../lib/court.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { joinWords, nameSeat, say, t } from "../../lib/words.js";
import { SeatMark, Tap } from "../../parts/basic.js";
import { findEntryText } from "../../parts/entry.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

const NAMED = 2; // entries that are named; of more, the number is said

/**
 * @param {{viewer: import("../../lib/court.js").Viewer, dispute: Schemas["Dispute"], drawing: any, answers: Schemas["PossibleAnswer"][],
 *   canVote: boolean, onVote: (body: any) => Promise<any>}} props
 */
export function Remedies({ viewer, dispute, drawing, answers, canVote, onVote }) {
  const offered = dispute.remedies.filter((each) => each.offered), { names } = drawing;
  const countVotes = (/** @type {string} */ remedy) => dispute.votes.filter((vote) => vote.remedy === remedy).length;
  const first = [...offered].sort((one, other) => countVotes(other.remedy) - countVotes(one.remedy) || Number(other.mild) - Number(one.mild))[0];
  const sorted = [...offered].sort((one, other) => Number(other === first) - Number(one === first));
  /** @param {string} remedy */
  const vote = (remedy) => {
    const fitting = answers.filter((each) => /** @type {any} */ (each.body).remedy === remedy);
    const agreement = fitting.find((each) => "agrees_to" in each.body);
    return onVote((agreement ?? fitting[0])?.body ?? { seat: viewer.seat, remedy });
  };
  return html`<section class="stack"><h2 class="grp">${t("court_what_now")}</h2>
    ${sorted.map((each) => html`<${RemedyCard} key=${each.remedy} viewer=${viewer} dispute=${dispute} remedy=${each} drawing=${drawing} isFirst=${each === first}
      isMine=${dispute.votes.some((one) => one.seat === viewer.seat && one.remedy === each.remedy)} isOpen=${canVote} onTap=${() => vote(each.remedy)} />`)}</section>`;
}

/** @param {{viewer: import("../../lib/court.js").Viewer, dispute: Schemas["Dispute"], remedy: Schemas["RemedyOption"], drawing: any, isFirst: boolean, isMine: boolean, isOpen: boolean, onTap: () => Promise<any>}} props */
export function RemedyCard({ viewer, dispute, remedy, drawing, isFirst, isMine, isOpen, onTap }) {
  const { names } = drawing;
  const preview = usePreview(viewer, dispute, remedy);
  const voters = dispute.votes.filter((vote) => vote.remedy === remedy.remedy).map((vote) => vote.seat);
  const effects = describeEffects(dispute, remedy, preview, names);
  const drawer = findDrawer(drawing.game);
  return html`<${Tap} kind=${`fix ${isFirst ? "call" : ""} ${isMine && !isFirst ? "chosen" : ""}`} isDisabled=${!isOpen} onTap=${onTap}>
    <b data-remedy=${remedy.remedy}>${t(`remedy_${remedy.remedy}`)}<span class="votes"><span class="sr">${t("court_votes", { n: voters.length, most: dispute.decide.length })}</span>
      ${voters.map((seat) => html`<${SeatMark} key=${seat} seat=${seat} name=${nameSeat(seat, names)} />`)}
      ${dispute.decide.slice(voters.length).map((seat) => html`<span class="open" key=${seat}></span>`)}</span></b>
    <dl class="kd">${effects.map(([label, text]) => html`<dt>${t(label)}</dt><dd>${text}</dd>`)}</dl>
    <small>${say(remedy.why, names)}</small><//>
    ${preview?.board && html`<details class="after"><summary>${t("court_table_after")}</summary><${drawer.Table} board=${preview.board} drawing=${drawing} /></details>`}`;
}

/**
 * Return what stays and what goes, as label and text.
 * @param {Schemas["Dispute"]} dispute @param {Schemas["RemedyOption"]} remedy @param {Schemas["Remedy"] | null} preview @param {any} names @returns {[string, string][]}
 */
function describeEffects(dispute, remedy, preview, names) {
  if (remedy.to === null) return [];
  /** @param {number[]} versions */
  const name = (versions) => {
    if (versions.length > NAMED) return t("court_entries", { n: versions.length, from: versions[0] ?? 0, to: versions.at(-1) ?? 0 });
    return versions.map((version) => dispute.since.items.find((entry) => entry.version === version)).map((entry) => entry && findEntryText(entry, names)).filter(Boolean).join(" ");
  };
  /** @type {[string, string][]} */
  const found = [["court_keeps", remedy.keeps.length > 0 ? name(remedy.keeps) : t("court_up_to", { n: remedy.to })]];
  if (remedy.drops.length > 0) found.push(["court_drops", name(remedy.drops)]);
  if (remedy.unsure.length > 0) found.push(["court_unsure", name(remedy.unsure)]);
  for (const each of preview?.returns ?? []) found.push(["court_lay_back", say(each.says, names)]);
  if (remedy.learned.length > 0) found.push(["court_seen_it", joinWords(remedy.learned.map((seat) => nameSeat(seat, names)))]);
  return found;
}

/** @param {import("../../lib/court.js").Viewer} viewer @param {Schemas["Dispute"]} dispute @param {Schemas["RemedyOption"]} remedy */
function usePreview(viewer, dispute, remedy) {
  const [found, setFound] = useState(/** @type {Schemas["Remedy"] | null} */ (null));
  useEffect(() => {
    let isCurrent = true;
    if (remedy.to !== null) previewRemedy(viewer, dispute.dispute, remedy.remedy).then((preview) => isCurrent && setFound(preview), () => {});
    return () => void (isCurrent = false);
  }, [dispute.dispute, remedy.remedy]);
  return found;
}
