// @ts-check
// What was really seen: pips for dice, a search for cards.
import { stripMove } from "../../lib/court.js";
import { html } from "../../lib/html.js";
import { t } from "../../lib/words.js";
import { Sheet } from "../../parts/basic.js";
import { DicePads } from "../../parts/dice.js";
import { FreeChoice } from "../seat/picker.js";

/** Return the fields of a move that name cards. @param {any} move @param {any} drawing @returns {string[]} */
const listCardFields = (move, drawing) => Object.keys(move ?? {}).filter((field) => {
  const value = Array.isArray(move[field]) ? move[field][0] : move[field];
  return field !== "type" && typeof value === "string" && value in drawing.cards;
});

/** Whether one can say how this should have read. @param {any} move @param {any} drawing */
export const canSayWhat = (move, drawing) => Array.isArray(move?.values) || listCardFields(move, drawing).length > 0;

/** @param {{entry: any, drawing: any, onSeen: (move: any) => void, onClose: () => void}} props */
export function Seen({ entry, drawing, onSeen, onClose }) {
  const move = stripMove(entry.move);
  if (Array.isArray(move.values)) return html`<${Sheet} title=${t("court_dice_showed")} onClose=${onClose}>
    <${DicePads} many=${move.values.length} onRolled=${(/** @type {number[]} */ values) => onSeen({ ...move, values })} /><//>`;
  const values = Object.keys(drawing.cards), words = { de: t("court_card_was"), en: t("court_card_was") };
  const choices = listCardFields(move, drawing).map((field) => {
    const many = Array.isArray(move[field]) ? move[field].length : null;
    return { field, kind: many === null ? "one" : "several", values, copies: null, least: many, most: many };
  });
  const picker = /** @type {any} */ ({ type: move.type, says: words, move, choices });
  return html`<${Sheet} title=${t("court_card_was")} onClose=${onClose}><${FreeChoice} picker=${picker} drawing=${drawing} isReport onChosen=${onSeen} /><//>`;
}
