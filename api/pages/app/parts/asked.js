// @ts-check
// What the table asks of a seat besides moves: to attest, to vote, to consent. Each answer is a button.
import { html } from "../lib/html.js";
import { say, t } from "../lib/words.js";
import { Tap } from "./basic.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */

/**
 * @param {{questions: Schemas["TableQuestion"][], names: Record<string, string>, more?: string,
 *   onAnswer: (question: Schemas["TableQuestion"], body: any) => Promise<any>}} props `more`: where it is shown at length
 */
export const Questions = ({ questions, names, onAnswer, more }) => html`${questions.map((question) => html`<section class="ref question" key=${question.path}>
  <p class="ask" role="status">${say(question.asks, names)}</p>
  <div class="answers">${question.answers.map((answer) => html`<${AnswerButton} key=${JSON.stringify(answer.body)} label=${say(answer.says, names)}
    onTap=${() => onAnswer(question, answer.body)} />`)}</div>
  ${more && /\/disputes\//.test(question.path) && html`<a class="btn wide" href=${more}>${t("court_see")}</a>`}
</section>`)}`;

/** One tap, one answer. @param {{label: string, small?: string, onTap: () => Promise<any>, kind?: string}} props */
export const AnswerButton = ({ label, small, onTap, kind = "" }) => html`<${Tap} kind=${`wide ${kind}`} onTap=${onTap}><b>${label}</b>${small && html`<small>${small}</small>`}<//>`;
