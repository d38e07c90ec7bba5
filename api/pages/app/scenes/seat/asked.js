// @ts-check
// What the referee says: what is going on with its numbers, the question, the time.
import { html } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { Countdown } from "../../parts/basic.js";
import { findCoveredText, isTold } from "../../parts/entry.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

/** @param {{followed: import("../../lib/match.js").FollowedMatch, drawing: any, drawer: any}} props */
export function Asked({ followed, drawing, drawer }) {
  const { view, moves, entries, deadline, seat } = followed, { names } = drawing;
  if (!view) return null;
  const isMine = view.awaits.includes(/** @type {number} */ (seat));
  const asksTable = view.awaits.includes("chance"); // real dice or cards: whoever sees them reports
  const question = moves?.halted ?? (isMine ? (moves?.question ?? view.question)?.asks : asksTable ? view.question?.asks : null);
  return html`<section class="ref" aria-live="polite">
    <${drawer.Running} board=${view.board} drawing=${drawing} />
    ${question ? html`<p class="ask">${say(question, names)}</p>`
      : entries.filter((entry) => isTold(entry.move)).slice(-1).map((entry) => html`<p class="ask">${findCoveredText(entry, names, drawing.cards, seat)}</p>`)}
    ${drawer.foldsSums && view.sums.length > 0 ? html`<details><summary>${t("sums")}</summary><${Sums} sums=${view.sums} names=${names} /></details>`
      : html`<${Sums} sums=${view.sums} names=${names} />`}
    <${Countdown} deadline=${deadline} />
  </section>`;
}

/** What counts now, line by line. @param {{sums: Schemas["Term"][], names: Record<string, string>}} props */
export function Sums({ sums, names }) {
  if (sums.length === 0) return null;
  return html`<div class="sums">${sums.map((sum) => html`<table class="sum"><tbody>
    ${sum.parts.map((part) => html`<tr><th scope="row">${say(part.says, names)}</th><td class="num">${part.value > 0 ? `+${part.value}` : part.value}</td></tr>`)}
    </tbody><tfoot><tr><th scope="row">${say(sum.says, names)}</th><td class="num">${sum.value}</td></tr></tfoot></table>`)}</div>`;
}
