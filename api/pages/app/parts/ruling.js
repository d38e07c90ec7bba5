// @ts-check
// The referee says why not: the reason, the clause, what else stands in the way, and what is possible instead.
import { Refused, Unreachable } from "../lib/api.js";
import { html } from "../lib/html.js";
import { say, t } from "../lib/words.js";
import { Clause, Sheet } from "./basic.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */

/**
 * @param {{title: string, ruling: Schemas["Ruling"], names: any, game: string, onClose: () => void,
 *   instead?: {label: string, onClick: () => void}[], onDisagree?: () => void}} props
 */
export function WhyNot({ title, ruling, names, game, onClose, instead = [], onDisagree }) {
  const [first, ...others] = ruling.clauses;
  return html`<${Sheet} title=${title} striped onClose=${onClose}>
    <p class="ask" role="alert">${say(ruling.reason, names)}</p>
    ${first && html`<${Clause} clause=${first} names=${names} game=${game} />`}
    ${others.length > 0 && html`<details><summary>${t(others.length === 1 ? "one_more_clause" : "more_clauses", { n: others.length })}</summary>
      ${others.map((clause) => html`<${Clause} clause=${clause} names=${names} game=${game} />`)}</details>`}
    ${ruling.way_out.length > 0 && html`<div class="box"><b>${t("when_you_can")}</b>
      ${ruling.way_out.map((way) => html`<p>${say(way.because, names)}</p>`)}</div>`}
    ${instead.length > 0 && html`<div class="box"><b>${t("what_you_can_do")}</b><div class="grid2">
      ${instead.map(({ label, onClick }) => html`<button onClick=${onClick}>${label}</button>`)}</div></div>`}
    <div class="grid2"><button class="wide" onClick=${onClose}>${t("understood")}</button>
      ${onDisagree && html`<button class="wide" onClick=${onDisagree}>${t("i_disagree")}</button>`}</div>
  <//>`;
}

/** Return what a sheet says of a call that failed. @param {unknown} failure @returns {any} throws what is no answer, and no lack of one */
export function readProblem(failure) {
  if (failure instanceof Unreachable) return { title: t("went_wrong"), detail: t("try_again") };
  if (failure instanceof Refused) return failure.problem ?? { title: failure.message };
  throw failure;
}

/** Something that is no rule was refused. @param {{problem: Schemas["Problem"] | null, onClose: () => void}} props */
export const ProblemSheet = ({ problem, onClose }) => html`<${Sheet} title=${problem?.title ?? t("went_wrong")} striped onClose=${onClose}>
  <p class="ask" role="alert">${problem?.detail ?? t("try_again")}</p>
  ${(problem?.errors ?? []).map((error) => html`<p class="note">${error.pointer} ${error.detail}</p>`)}
  <button class="wide" onClick=${onClose}>${t("understood")}</button>
<//>`;
