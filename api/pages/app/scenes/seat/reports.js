// @ts-check
// A real table: what the dice show as taps on pips, what was turned up by search, and "nobody reacts".
import { call, matchPath } from "../../lib/api.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { Die, Face } from "../../parts/basic.js";
import { PickerSheet } from "./picker.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

/** @param {{followed: import("../../lib/match.js").FollowedMatch, drawing: any, attempt: (write: () => Promise<any>, title: string) => Promise<void>}} props */
export function Reports({ followed, drawing, attempt }) {
  const [listing, setListing] = useState(/** @type {Schemas["MoveListing"] | null} */ (null));
  const [picker, setPicker] = useState(/** @type {Schemas["Picker"] | null} */ (null));
  useEffect(() => {
    call("GET", `${matchPath(followed.match)}/seats/chance/moves`, { token: followed.token }).then(setListing, () => setListing(null));
  }, [followed.view?.version]);
  if (!listing) return null;
  /** @param {any} move */
  const report = (move) => attempt(() => followed.makeMove(move, undefined, "chance"), t("report_now"));
  const dice = countDice(listing);
  return html`<section class="reports"><p class="ask">${say(listing.question?.asks, drawing.names)}</p>
    ${dice > 0 ? html`<${DicePads} many=${dice} onRolled=${(/** @type {number[]} */ values) => report({ type: "chance.rolled", values })} />` : html`<div class="picks">
      ${listing.legal.map((legal) => html`<button key=${JSON.stringify(legal.move)} onClick=${() => report(legal.move)}>
        ${legal.cards[0] && html`<${Face} design=${drawing.cards[legal.cards[0]]} game=${drawing.game} />`}<span>${say(legal.told, drawing.names)}</span></button>`)}
      ${listing.pickers.map((each) => html`<button class="wide" key=${each.type} onClick=${() => setPicker(each)}><b>${say(each.says, drawing.names)} …</b></button>`)}</div>`}
    ${picker && html`<${PickerSheet} picker=${picker} drawing=${drawing} isReport onClose=${() => setPicker(null)}
      onChosen=${(/** @type {any} */ move) => { setPicker(null); report(move); }} />`}
  </section>`;
}

/** Return how many dice are asked for; 0: something else is. @param {Schemas["MoveListing"]} listing */
function countDice(listing) {
  const [first] = listing.legal, [picker] = listing.pickers;
  if (first) return first.move.type === "chance.rolled" ? first.move.values.length : 0;
  return picker?.type === "chance.rolled" ? picker.choices[0]?.least ?? 0 : 0;
}

/** A row of six for each die: one tap a die, another tap corrects it. @param {{many: number, onRolled: (values: number[]) => void}} props */
export function DicePads({ many, onRolled }) {
  const [values, setValues] = useState(/** @type {number[]} */ ([]));
  const isComplete = values.filter(Boolean).length === many;
  /** @param {number} die @param {number} value */
  const tap = (die, value) => {
    const next = Array.from({ length: many }, (_, at) => (at === die ? value : values[at] ?? 0));
    setValues(next);
    if (many === 1) onRolled(next);
  };
  return html`<div class="stack">${Array.from({ length: many }, (_, die) => html`<div class="pads" role="group" aria-label=${t("die_number", { n: die + 1 })}>
    ${[1, 2, 3, 4, 5, 6].map((value) => html`<button class=${values[die] === value ? "solid" : ""} aria-pressed=${values[die] === value} onClick=${() => tap(die, value)}><${Die} value=${value} /></button>`)}</div>`)}
    ${many > 1 && html`<button class="call wide tall" disabled=${!isComplete} onClick=${() => onRolled(values)}><b>${t("confirm")}</b></button>`}</div>`;
}
