// @ts-check
// What real dice show: one tap for one die, one tap for two (row and column), and another tap corrects it.
import { html, useEffect, useRef, useState } from "../lib/html.js";
import { t } from "../lib/words.js";
import { Die } from "./basic.js";

const PIPS = [1, 2, 3, 4, 5, 6];
const CORRECTING = 1200; // milliseconds in which another tap corrects what was tapped

/** @param {{many: number, onRolled: (values: number[]) => void}} props */
export function DicePads({ many, onRolled }) {
  const [values, setValues] = useState(/** @type {number[]} */ ([])), isSent = useRef(false);
  const isComplete = values.filter(Boolean).length === many;
  const send = () => {
    if (isSent.current) return;
    isSent.current = true;
    onRolled(values);
  };
  useEffect(() => {
    if (!isComplete) return;
    const timer = setTimeout(send, CORRECTING);
    return () => clearTimeout(timer);
  }, [values]);
  return html`<div class="stack">${many === 2 ? html`<${Pairs} chosen=${values} onChosen=${setValues} />` : html`<${Rows} many=${many} chosen=${values} onChosen=${setValues} />`}
    ${isComplete && html`<button class="call wide tall sending" onClick=${send}><b>${t("confirm")}: ${values.join(" + ")}</b></button>`}</div>`;
}

/** Two dice in one tap: the row is one, the column the other, and what lies there is their sum. @param {{chosen: number[], onChosen: (values: number[]) => void}} props */
const Pairs = ({ chosen, onChosen }) => html`<div class="pairs" role="group" aria-label=${t("two_dice")}>
  <span></span>${PIPS.map((column) => html`<span aria-hidden="true"><${Die} value=${column} /></span>`)}
  ${PIPS.map((row) => html`<span aria-hidden="true"><${Die} value=${row} /></span>
    ${PIPS.map((column) => {
      const isOn = chosen[0] === row && chosen[1] === column;
      return html`<button class=${`num ${isOn ? "solid" : ""} ${row === column ? "twin" : ""}`} aria-pressed=${isOn} aria-label=${t("dice_show", { one: row, other: column })}
        data-dice=${`${row} ${column}`} onClick=${() => onChosen([row, column])}>${row + column}</button>`;
    })}`)}</div>`;

/** A row of six for each die. @param {{many: number, chosen: number[], onChosen: (values: number[]) => void}} props */
const Rows = ({ many, chosen, onChosen }) => html`${Array.from({ length: many }, (_, die) => html`<div class="pads" role="group" aria-label=${t("die_number", { n: die + 1 })}>
  ${PIPS.map((value) => html`<button class=${chosen[die] === value ? "solid" : ""} aria-pressed=${chosen[die] === value} data-dice=${value}
    onClick=${() => onChosen(Array.from({ length: many }, (_, at) => (at === die ? value : chosen[at] ?? 0)))}><${Die} value=${value} /></button>`)}</div>`)}`;
