// @ts-check
// The hand behind a thumb: held it shows, a tap keeps it open, and it is covered as soon as the page is left.
import { useHiding } from "../../lib/follow.js";
import { html, useEffect, useRef } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { Face, Svg } from "../../parts/basic.js";

const HELD = 350, IDLE = 45_000; // milliseconds: longer than a tap, and until an open hand covers itself
const THUMB = `<svg class="thumb" viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path d="M7 14a9 9 0 0 1 18 0M10 27c-2-3-2-7-2-10a8 8 0 0 1 16 0c0 3 0 5 1 7M13 29c-2-4-2-8-2-12a5 5 0 0 1 10 0c0 4 0 7 1 10M16 17c0 4 0 8 2 12"/></svg>`;

/** @param {{board: any, seat: number, drawing: any, moves: any, isOpen: boolean, setOpen: (open: boolean) => void}} props */
export function Hand({ board, seat, drawing, moves, isOpen, setOpen }) {
  const hand = board.seats.find((/** @type {any} */ each) => each.seat === seat)?.hand, pressed = useRef(0);
  useHiding(() => setOpen(false));
  useEffect(() => {
    if (!isOpen) return;
    const timer = setTimeout(() => setOpen(false), IDLE);
    return () => clearTimeout(timer);
  }, [isOpen, board]);
  if (!hand) return null;
  if (hand.cards.length === 0) return html`<footer class="hand"><p class="note centre">${hand.count ? t("hand_real", { n: hand.count }) : t("hand_empty")}</p></footer>`;
  const playable = new Set((moves?.legal ?? []).flatMap((/** @type {any} */ legal) => legal.cards));
  const press = () => {
    pressed.current = isOpen ? 0 : performance.now();
    if (!isOpen) setOpen(true);
  };
  const release = () => {
    const isHeld = pressed.current > 0 && performance.now() - pressed.current > HELD;
    if (isHeld || pressed.current === 0) setOpen(false);
  };
  return html`<footer class=${`hand ${isOpen ? "open" : ""}`}>
    ${isOpen && html`<div class="hand-cards" role="list" aria-label=${say(hand.label, drawing.names)}>${hand.cards.map((/** @type {any} */ card) => html`<div role="listitem" class=${playable.has(card.card) ? "playable" : ""} key=${card.id}>
      <${Face} design=${drawing.cards[card.card] ?? { id: card.card, name: say(card.name) }} game=${drawing.game} />
      <p><b>${say(card.name)}</b>${playable.has(card.card) && html` <span class="pill">${t("playable")}</span>`}<br />${say(drawing.cards[card.card]?.text)} ${say(drawing.cards[card.card]?.bad_text)}</p></div>`)}</div>`}
    <button aria-expanded=${isOpen} onPointerDown=${press} onPointerUp=${release} onPointerCancel=${() => setOpen(false)}
      onContextMenu=${(/** @type {Event} */ event) => event.preventDefault()}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => ["Enter", " "].includes(event.key) && !event.repeat && (event.preventDefault(), setOpen(!isOpen))}>
      ${!isOpen && html`<span class="fan" aria-hidden="true">${hand.cards.slice(0, 5).map((/** @type {any} */ card) => html`<${Face} key=${card.id} design=${null} />`)}</span>`}
      <span class="grow"><b>${isOpen ? t("hand_hide") : t("hand_see")}</b>${!isOpen && html`<small>${t("hand_small", { n: hand.count ?? hand.cards.length })}</small>`}</span><${Svg} svg=${THUMB} /></button>
  </footer>`;
}
