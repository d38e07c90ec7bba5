// @ts-check
// How a table may have ended, to choose from.
import { html, useState } from "../../lib/html.js";
import { t } from "../../lib/words.js";
import { nameEntrant } from "./shared.js";

/** @typedef {import("./shared.js").Drawing} Drawing */

/** Ways in which a table may have ended. @param {{drawing: Drawing, table: any, title: string, onChoose: (placement: number[][]) => void}} props */
export function Outcomes({ drawing, table, title, onChoose }) {
  const [order, setOrder] = useState(/** @type {number[]} */ ([])), { view } = drawing, rest = table.players.filter((/** @type {number} */ each) => !order.includes(each));
  if (table.players.length === 2) {
    const [first, second] = table.players;
    return html`<fieldset class="stack"><legend class="grp">${title}</legend>${[[first, second], [second, first]].map(([winner, loser]) => html`<button class="wide" key=${winner} onClick=${() => onChoose([[winner], [loser]])}>${t("tour_won", { name: nameEntrant(view, winner) })}</button>`)}
      <button class="wide" onClick=${() => onChoose([[first, second]])}>${t("tour_drawn")}</button></fieldset>`;
  }
  return html`<fieldset class="stack"><legend class="grp">${title}</legend>${order.map((each, at) => html`<p key=${each}>${at + 1}. ${nameEntrant(view, each)}</p>`)}
    ${rest.map((/** @type {number} */ each) => html`<button class="wide" key=${each} onClick=${() => (rest.length === 1 ? onChoose([...order, each].map((player) => [player])) : setOrder([...order, each]))}>${order.length + 1}. ${nameEntrant(view, each)}</button>`)}
    ${order.length === 0 && html`<button class="wide" onClick=${() => onChoose([table.players])}>${t("tour_drawn")}</button>`}</fieldset>`;
}
