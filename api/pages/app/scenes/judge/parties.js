// @ts-check
// Who is who, and what each says: names in place of seats, what is claimed, by which rule, and what lay on the table afterwards.
import { html, useState } from "../../lib/html.js";
import { nameSeat, t } from "../../lib/words.js";
import { SeatMark, Toggle } from "../../parts/basic.js";
import { Field } from "./field.js";
import { CLAIMS, findStatement } from "./question.js";
import { findSchema, getAt, makeStart, nameMember, parsePointer, SEAT_LISTS, tellPlace, toPointer } from "./written.js";

/** @typedef {import("./written.js").Wording} Wording */
/** @typedef {import("./question.js").Question} Question */
/** @typedef {{schema: any, question: Question, wording: Wording, mistakes: import("./field.js").Mistake[], onChange: (changed: Partial<Question>) => void}} Props */

const LONGEST_NAME = 40, LONGEST_CLAUSE = 64, LONGEST_STATEMENT = 500;

/** What the players are called. @param {Props} props */
export const Names = ({ question, wording, onChange }) => html`<details class="fold"><summary><span class="grow"><b>${t("judge_names")}</b><small class="detail">${question.names.filter(Boolean).join(", ")}</small></span></summary><div class="stack">
  ${Array.from({ length: wording.seats }, (_, seat) => html`<label key=${seat}><span class="who"><${SeatMark} seat=${seat} name=${String(seat + 1)} /> ${t("player", { n: seat + 1 })}</span>
    <input data-name=${seat} value=${question.names[seat] ?? ""} maxlength=${LONGEST_NAME} onInput=${(/** @type {any} */ event) => onChange({ names: Array.from({ length: wording.seats }, (__, at) => (at === seat ? event.target.value : question.names[at] ?? "")) })} /></label>`)}</div></details>`;

/** What the table disagrees about. @param {Props} props */
export function Dispute({ schema, question, wording, mistakes, onChange }) {
  /** @param {import("./question.js").Statement} said */
  const say = (said) => onChange({ says: [...question.says.filter((each) => each.seat !== said.seat), said].sort((one, other) => one.seat - other.seat) });
  const parts = { schema, position: question.position, wording, mistakes };
  return html`<div class="stack" role="group" aria-label=${t("judge_claim")}><h3 class="grp">${t("judge_claim")}</h3>
      <div class="grid2">${CLAIMS.map((claim) => html`<${Toggle} key=${claim} on=${question.claim === claim} onClick=${() => onChange({ claim })}>${t(`claim_${claim}`)}<//>`)}</div>
      <${ClauseInput} value=${question.clause} path=${["clause"]} mistakes=${mistakes} onChange=${(/** @type {string} */ clause) => onChange({ clause })} />
      <${Observed} ...${parts} title=${t("judge_saw")} saw=${question.saw} path=${["saw"]} onChange=${(/** @type {any} */ saw) => onChange({ saw })} /></div>
    <h3 class="grp">${t("judge_says")}</h3>
    ${Array.from({ length: wording.seats }, (_, seat) => {
      const said = findStatement(question, seat), name = nameSeat(seat, wording.names), summary = [said.legal === null ? "" : t(said.legal ? "judge_granted" : "judge_refused"), said.says].filter(Boolean).join(": ");
      return html`<details class="fold" key=${seat} data-party=${seat}><summary><${SeatMark} seat=${seat} name=${String(seat + 1)} /><span class="grow"><b>${name}</b><small class="detail">${summary}</small></span></summary><div class="stack">
        <div class="row wrap" role="group" aria-label=${t("judge_move")}>${[true, false].map((legal) => html`<${Toggle} key=${legal} on=${said.legal === legal} onClick=${() => say({ ...said, legal: said.legal === legal ? null : legal })}>${t(legal ? "judge_granted" : "judge_refused")}<//>`)}</div>
        <label>${t("judge_in_words")}<input value=${said.says} maxlength=${LONGEST_STATEMENT} onInput=${(/** @type {any} */ event) => say({ ...said, says: event.target.value })} /></label>
        <${ClauseInput} value=${said.clause} path=${["says", seat, "clause"]} mistakes=${mistakes} onChange=${(/** @type {string} */ clause) => say({ ...said, clause })} />
        <${Observed} ...${parts} title=${t("judge_saw")} saw=${said.saw} path=${["says", seat, "saw"]} onChange=${(/** @type {any} */ saw) => say({ ...said, saw })} /></div></details>`;
    })}`;
}

/** The rule that one rests on, by its name. @param {{value: string, path: import("./written.js").Path, mistakes: import("./field.js").Mistake[], onChange: (clause: string) => void}} props */
const ClauseInput = ({ value, path, mistakes, onChange }) => html`<label id=${`at${toPointer(path)}`}>${t("judge_by_clause")}<input value=${value} maxlength=${LONGEST_CLAUSE} autocapitalize="characters" spellcheck=${false}
    onInput=${(/** @type {any} */ event) => onChange(event.target.value.trim())} />
  ${mistakes.filter((each) => each.pointer === toPointer(path)).map((each) => html`<span key=${each.detail} class="no small wrong-here">${each.detail}</span>`)}</label>`;

/** What lay on the table after the move, place by place. @param {{title: string, schema: any, position: any, saw: Record<string, any>, path: import("./written.js").Path, wording: Wording, mistakes: import("./field.js").Mistake[], onChange: (saw: Record<string, any>) => void}} props */
function Observed({ title, schema, position, saw, path, wording, mistakes, onChange }) {
  const left = listPlaces(schema, position, wording).filter(({ pointer }) => !(pointer in saw));
  return html`<fieldset class="fields" id=${`at${toPointer(path)}`} tabindex="-1"><legend>${title}</legend>
    ${Object.entries(saw).map(([pointer, value]) => {
      const part = findSchema(schema, position, parsePointer(pointer)), label = tellPlace(pointer, wording);
      return html`<div class="item member" key=${pointer}><div class="grow">${part ? html`<${Field} schema=${part} value=${value} path=${[...path, pointer]} wording=${wording} mistakes=${mistakes} label=${label}
          onChange=${(/** @type {any} */ changed) => onChange({ ...saw, [pointer]: changed })} />` : html`<b>${label}</b>`}</div>
        <button type="button" class="icon take" aria-label=${t("judge_remove", { what: label })} onClick=${() => onChange(Object.fromEntries(Object.entries(saw).filter(([other]) => other !== pointer)))}>×</button></div>`;
    })}
    <select class="add" aria-label=${t("judge_add_to", { what: title })} value="" onChange=${(/** @type {any} */ event) => {
      const pointer = event.target.value;
      event.target.value = "";
      onChange({ ...saw, [pointer]: getAt(position, parsePointer(pointer)) ?? makeStart(findSchema(schema, position, parsePointer(pointer)) ?? {}) });
    }}><option value="">+ ${t("judge_place")}</option>${left.map(({ pointer, label }) => html`<option key=${pointer} value=${pointer}>${label}</option>`)}</select></fieldset>`;
}

/** Return the places of a position in which something can lie: those of the table, and of each player. @param {any} schema @param {any} position @param {Wording} wording */
function listPlaces(schema, position, wording) {
  /** @param {any} part @param {string} within */
  const list = (part, within) => Object.entries(part?.properties ?? {}).filter(([name, each]) => !("const" in each) && !["question", "settings", "readings", "edition", "variant"].includes(name) && !name.startsWith("pending") && !SEAT_LISTS.includes(name))
    .map(([name]) => `${within}/${name}`);
  const seats = SEAT_LISTS.find((name) => Array.isArray(position[name]));
  const ofSeats = seats ? Array.from({ length: wording.seats }, (_, seat) => list(findSchema(schema, position, [seats, seat]), `/${seats}/${seat}`)).flat() : [];
  return [...ofSeats, ...list(schema, "")].map((pointer) => ({ pointer, label: tellPlace(pointer, wording) || nameMember(pointer, wording) }));
}
