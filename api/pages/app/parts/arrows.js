// @ts-check
// Arrow keys among buttons that lie side by side, such as cards to choose from or places of a map.

const AWAY = /** @type {Record<string, [number, number]>} */ ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] });

/** Give the focus to the nearest button in the direction of an arrow key. @param {KeyboardEvent} event its `currentTarget` holds the buttons */
export function stepByArrow(event) {
  const away = AWAY[event.key], from = /** @type {Element} */ (event.target);
  if (!away || from.tagName !== "BUTTON") return;
  event.preventDefault(); // else the page would scroll
  const [right, down] = away, start = findMiddle(from);
  const reached = [.../** @type {Element} */ (event.currentTarget).querySelectorAll("button:enabled")].map((button) => {
    const { x, y } = findMiddle(button), ahead = (x - start.x) * right + (y - start.y) * down, aside = Math.abs((x - start.x) * down) + Math.abs((y - start.y) * right);
    return { button, far: ahead > 1 ? ahead + 2 * aside : Infinity };
  }).sort((one, other) => one.far - other.far);
  if (reached[0] && reached[0].far < Infinity) /** @type {HTMLElement} */ (reached[0].button).focus();
}

/** @param {Element} element */
function findMiddle(element) {
  const { left, width, top, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
