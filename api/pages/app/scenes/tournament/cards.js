// @ts-check
// A deck as lines of text: how many, and which card.
import { html, useState } from "../../lib/html.js";
import { t } from "../../lib/words.js";

/** @typedef {import("./shared.js").Drawing} Drawing */

/** @param {{drawing: Drawing, label: string, button: string, onSend: (cards: Record<string, number>) => any, children?: any}} props */
export function CardForm({ drawing, label, button, onSend, children }) {
  const [text, setText] = useState("");
  /** @param {Event} event */
  function send(event) {
    event.preventDefault();
    const cards = /** @type {Record<string, number>} */ ({});
    for (const [at, line] of text.split("\n").entries()) {
      const [, count, card] = /^\s*(\d+)\s*[x×]?\s+(\S+)\s*$/.exec(line) ?? [];
      if (line.trim() && !card) return drawing.fail({ title: t("tour_deck_line", { n: at + 1, line }) });
      if (card) cards[card] = (cards[card] ?? 0) + Number(count);
    }
    return onSend(cards);
  }
  return html`<form class="form" onSubmit=${send}>${children}<label>${label}<textarea rows="6" required value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)}></textarea></label><button class="wide solid">${button}</button></form>`;
}
