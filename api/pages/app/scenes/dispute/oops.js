// @ts-check
// Oops: a slip of one's own, taken back or corrected with one tap beside what happened last.
import { correctionsPath, takebacksPath } from "../../lib/court.js";
import { html, useState } from "../../lib/html.js";
import { t } from "../../lib/words.js";
import { canSayWhat, Seen } from "./seen.js";
import { AnswerButton } from "../../parts/asked.js";
import { findCoveredText } from "../../parts/entry.js";

/** @typedef {import("../../contract").components["schemas"]["Entry"]} Entry */

const FRESH = 4; // entries back that a slip may lie

/** Return the entries of play that can be told at a table. @param {Entry[]} entries @param {any} drawing */
export const listTold = (entries, drawing) => entries.filter((each) => !/^table\./.test(each.move?.type ?? "table.") && findCoveredText(each, drawing.names, drawing.cards, drawing.me));

/**
 * What a seat can mend by itself: its last report of dice or cards, and its last move, both only while they are fresh.
 * @param {{entries: Entry[], match: string, seat: number, version: number, drawing: any, send: (path: string, body: any, options?: {ifMatch: number}) => Promise<any>, most?: number}} props
 *   `most`: how many entries that can be told a slip may lie back
 */
export function Oops({ entries, match, seat, version, drawing, send, most = FRESH }) {
  const [correcting, setCorrecting] = useState(/** @type {Entry | null} */ (null)), last = listTold(entries, drawing).slice(-most);
  const report = last.filter((each) => each.actor.kind === "reporter" && each.actor.seat === seat && canSayWhat(each.move, drawing)).at(-1);
  const mine = last.filter((each) => each.seat === seat).at(-1);
  const takebacks = /** @type {any[]} */ (entries.flatMap((each) => each.events).filter((each) => /^table\.Takeback/.test(each.type)));
  const isAsked = takebacks.some((each) => each.seat === seat && each.to + 1 === mine?.version && !takebacks.some((end) => end.takeback === each.takeback && /(Grant|Refus)ed$/.test(end.type)));
  /** @param {Entry} entry */
  const tell = (entry) => findCoveredText(entry, drawing.names, drawing.cards, drawing.me);
  if (!report && !mine) return null;
  return html`<section class="stack"><h2 class="grp">${t("court_oops")}</h2>
    ${report && html`<button class="wide" onClick=${() => setCorrecting(report)}><b>${t("court_correct")}</b><small>${tell(report)}</small></button>`}
    ${mine && (isAsked ? html`<p class="note" role="status">${tell(mine)} ${t("court_taking_back")}</p>` : html`<${AnswerButton} label=${t("court_take_back")} small=${tell(mine)} onTap=${() => send(takebacksPath(match), { seat, to: mine.version - 1 }, { ifMatch: version })} />`)}</section>
  ${correcting && html`<${Seen} entry=${correcting} drawing=${drawing} onClose=${() => setCorrecting(null)}
    onSeen=${(/** @type {any} */ move) => { setCorrecting(null); send(correctionsPath(match, correcting.version), { move }); }} />`}`;
}
