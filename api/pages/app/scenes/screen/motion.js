// @ts-check
// Cards that fly from where they lay to where they lie, as the transfers of the newest entries say.
import { useLayoutEffect, useRef } from "../../lib/html.js";

const DURATION = 280; // milliseconds

/** Let cards move on the board once it shows other entries. @param {any[]} entries with their transfers @param {number | undefined} version of the board that is shown */
export function useMotion(entries, version) {
  const shown = useRef(/** @type {number | undefined} */ (undefined)), lay = useRef(/** @type {Map<string, DOMRect>} */ (new Map()));
  useLayoutEffect(() => {
    const before = lay.current, since = shown.current;
    lay.current = measure();
    shown.current = version;
    if (since === undefined || version === since || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const entry of entries) {
      if (entry.version <= since) continue;
      for (const { from, cards, was } of entry.transfers)
        cards.forEach((/** @type {any} */ card, /** @type {number} */ at) => fly(card.id, before.get(`card ${was?.[at]}`) ?? findPlace(before, String(from))));
    }
  });
}

/** Return where everything is on the screen, by card and by place. */
function measure() {
  const found = new Map();
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-card], [data-place]"))) {
    const { card, place } = each.dataset, at = each.getBoundingClientRect();
    if (card) found.set(`card ${card}`, at);
    if (place) found.set(`place ${place}`, at);
  }
  return found;
}

/** Return where a place is; what lies before a player is by the player. @param {Map<string, DOMRect>} before @param {string} place */
const findPlace = (before, place) => before.get(`place ${place}`) ?? before.get(`place hand:${place.split(":")[1]}`);

/** Let a card come from a place of the screen. @param {string} id @param {DOMRect | undefined} origin */
function fly(id, origin) {
  const element = document.querySelector(`[data-card="${CSS.escape(id)}"]`);
  if (!element || !origin) return;
  const now = element.getBoundingClientRect(), x = origin.x + origin.width / 2 - now.x - now.width / 2, y = origin.y + origin.height / 2 - now.y - now.height / 2;
  element.animate([{ transform: `translate(${x}px, ${y}px)`, zIndex: 5 }, { transform: "none", zIndex: 5 }], { duration: DURATION, easing: "ease-out" });
}
