// @ts-check
// What the position leaves out and the answer depends on: the referee asks for all of it, and each answer is a tap.
import { html, useState } from "../../lib/html.js";
import { fillNames, say, t } from "../../lib/words.js";
import { Field } from "./field.js";
import { findSchema, makeStart, parsePointer } from "./written.js";

/** @typedef {import("./written.js").Wording} Wording */

const MOST_BUTTONS = 12;

/** @param {{facts: any[], schema: any, position: any, wording: Wording, within: string, onAnswer: (pointer: string, value: any) => void, onUnknown: (pointer: string) => void}} props */
export const Facts = ({ facts, schema, position, wording, within, onAnswer, onUnknown }) => html`<section class="ref stack no-print"><h2>${t("judge_missing")}</h2>
  ${facts.map((fact) => html`<div class="stack" key=${fact.pointer} role="group" aria-label=${tell(fact, wording)}><p class="ask">${tell(fact, wording)}</p>
    ${fact.kind === "one" && fact.values.length <= MOST_BUTTONS ? html`<div class="row wrap">${fact.values.map((/** @type {any} */ each) => html`<button type="button" key=${JSON.stringify(each.value)} onClick=${() => onAnswer(fact.pointer, each.value)}>${say(each.says, wording.names)}</button>`)}</div>`
      : html`<${Written} fact=${fact} schema=${findSchema(schema, position, parsePointer(fact.pointer.slice(within.length)))} wording=${wording} onAnswer=${onAnswer} />`}
    <button type="button" class="wide" onClick=${() => onUnknown(fact.pointer)}>${t("judge_unknown")}</button></div>`)}</section>`;

/** @param {any} fact @param {Wording} wording */
const tell = (fact, wording) => fillNames(typeof fact.asks === "string" ? fact.asks : say(fact.asks) || fact.detail, wording.names);

/** An answer that is written by its schema. @param {{fact: any, schema: any, wording: Wording, onAnswer: (pointer: string, value: any) => void}} props */
function Written({ fact, schema, wording, onAnswer }) {
  const [value, setValue] = useState(() => Object.values(fact.fragment ?? {})[0] ?? makeStart(schema ?? {}));
  if (!schema) return null;
  return html`<${Field} schema=${schema} value=${value} path=${parsePointer(fact.pointer)} wording=${wording} mistakes=${[]} label=${tell(fact, wording)} isBare onChange=${setValue} />
    <button type="button" class="wide" onClick=${() => onAnswer(fact.pointer, value)}><b>${t("judge_so_it_is")}</b></button>`;
}
