// @ts-check
// What the check of a table says: what is wrong, and which texts the program does not carry out.
import { html } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

/** The place of a row among the cards, or -1. @param {Schemas["CheckedTable"]} checked @param {number} row */
export const findIndex = (checked, row) => checked.cards.findIndex((each) => each.row === row);

/** @param {{checked: Schemas["CheckedTable"], isChanged: boolean, open: (index: number) => void}} props `isChanged`: a card since then */
export function Findings({ checked, isChanged, open }) {
  const { cards, errors, texts } = checked;
  /** @param {number} row */
  const nameRow = (row) => { const cells = cards.find((each) => each.row === row)?.cells; return cells?.name || cells?.name_de || (row < (cards[0]?.row ?? 1) ? t("cards_book") : `${row}`); };
  /** @param {number} row @param {any} told @param {string} kind */
  const link = (row, told, kind) => { const index = findIndex(checked, row); return index < 0 ? told : html`<button class=${`wide ${kind}`} onClick=${() => open(index)}>${told}</button>`; };
  return html`${errors.length ? html`<p><b>${t("cards_wrong", { n: errors.length })}</b></p>` : !isChanged && html`<p class="ask">${t("cards_good", { n: cards.length })}</p>`}
    ${errors.map((each, index) => { const told = t(each.column ? "cards_error" : "cards_error_row", { name: nameRow(each.row), column: each.heading, detail: each.detail }); return html`<div key=${index}>${findIndex(checked, each.row) < 0 ? html`<p class="wrong-here">${told}</p>` : link(each.row, told, "mistake")}</div>`; })}
    ${!isChanged && texts.sentences + texts.free.length > 0 && html`<details class="seat-part"><summary>${t("cards_texts", { n: texts.sentences, free: texts.carried_out, printed: texts.only_printed })}</summary><ul class="list">
      ${texts.free.map((each, index) => html`<li key=${index}>${link(each.row, html`<b>${nameRow(each.row)}</b><small>${t(each.only_printed ? "cards_printed" : "cards_carried_out")}: ${each.text}</small>${each.near && html`<small>${t("cards_near", { text: say(each.near) })}</small>`}`, "")}</li>`)}</ul></details>`}`;
}
