// @ts-check
// A card as it lies on a board: its face, its name, what is true of it.
import { html } from "../lib/html.js";
import { say } from "../lib/words.js";
import { Face } from "./basic.js";

/** @typedef {import("../contract").components["schemas"]["BoardCard"]} BoardCard */
/** @typedef {{game: string, cards: Record<string, any>, names: Record<string, string>, me: number | null, isCovered?: boolean}} Drawing what boards are drawn with */

/** @param {{card: BoardCard | null, drawing: Drawing, label?: any, mark?: string, small?: boolean, place?: string}} props */
export function Card({ card, drawing, label, mark = "", small = false, place }) {
  const design = card?.card ? drawing.cards[card.card] ?? { id: card.card, name: say(card.name) } : null;
  return html`<figure data-card=${card?.id} data-place=${place} class=${`card ${mark} ${small ? "small-card" : ""}`}><${Face} design=${design && { ...design, name: say(card?.name) }} game=${drawing.game} />
    <figcaption>${label ?? say(card?.name)}</figcaption></figure>`;
}

/** A pile as a back with its number, or with its top card. @param {{pile: any, drawing: Drawing, isLarge?: boolean}} props */
export const Pile = ({ pile, drawing, isLarge = false }) => html`<${Card} card=${pile.cards.at(-1) ?? null} drawing=${drawing} small=${!isLarge} place=${pile.place}
  label=${html`${say(pile.label, drawing.names)} <b class="num">${pile.count ?? "?"}</b>`} />`;
