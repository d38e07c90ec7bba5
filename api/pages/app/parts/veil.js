// @ts-check
// What only I know of the table lies face down on my phone, too, until I look at it; it is covered when the page is left.
import { useHiding } from "../lib/follow.js";
import { html, useState } from "../lib/html.js";
import { t } from "../lib/words.js";

/**
 * Draw something with its hidden cards covered, and a button to look at them.
 * @param {{hasHidden: boolean, drawing: import("./card.js").Drawing, draw: (drawing: import("./card.js").Drawing) => any}} props
 */
export function Veil({ hasHidden, drawing, draw }) {
  const [isOpen, setOpen] = useState(false);
  useHiding(() => setOpen(false));
  return html`${hasHidden && html`<button type="button" class="wide covered" aria-pressed=${isOpen} onClick=${() => setOpen(!isOpen)}><b>${t(isOpen ? "veil_hide" : "veil_show")}</b></button>`}
    ${draw({ ...drawing, isCovered: !isOpen })}`;
}
