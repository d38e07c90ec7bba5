// @ts-check
// How a table may have ended, to choose from; and results of tables at which only bots sit.
import { html, useState } from "../../lib/html.js";
import { t } from "../../lib/words.js";
import { joinEntrants, nameEntrant } from "./shared.js";

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

/** Tables of bots that wait for somebody to record how they ended. @param {{drawing: Drawing}} props */
export function BotTables({ drawing }) {
  const { view, send } = drawing, isBot = (/** @type {number} */ each) => view.players[each]?.bot != null;
  const waiting = view.rounds.flatMap((one) => one.tables.filter((each) => !each.final && each.players.every(isBot)).map((table) => ({ table, round: one.round })));
  return html`<section class="stack"><h2 class="grp">${t("tour_record")}</h2><p class="note">${t("tour_record_why")}</p>
    ${waiting.map(({ table, round }) => html`<details key=${`${round}.${table.table}`}><summary>${t("tour_table", { n: table.table })}: ${joinEntrants(view, table.players)}</summary>
      <${Outcomes} drawing=${drawing} table=${table} title=${t("tour_record_how")} onChoose=${(/** @type {number[][]} */ placement) => send({ type: "tournament.record_result", round, table: table.table, placement })} /></details>`)}</section>`;
}
