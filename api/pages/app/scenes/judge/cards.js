// @ts-check
// Find a card by its name; those used last come first.
import { readValue, writeText } from "../../lib/device.js";
import { html, useState } from "../../lib/html.js";
import { t } from "../../lib/words.js";
import { Face, Sheet } from "../../parts/basic.js";
import { findDesign, nameValue } from "./written.js";

const SHOWN = 40, RECENT = 12; // cards in the list, and those that are remembered

/** @param {{title: string, values: any[], wording: import("./written.js").Wording, onClose: () => void, onChosen: (value: any) => void}} props */
export function CardSheet({ title, values, wording, onClose, onChosen }) {
  const [search, setSearch] = useState(""), key = `referee.judged.${wording.game}`, kept = readValue(key, []), recent = /** @type {any[]} */ (Array.isArray(kept) ? kept : []);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean), rank = (/** @type {any} */ value) => (recent.includes(value) ? recent.indexOf(value) : RECENT);
  const named = values.map((value) => ({ value, name: nameValue(value, wording) }));
  const found = named.filter(({ value, name }) => words.every((word) => `${name} ${value}`.toLowerCase().includes(word)));
  found.sort((one, other) => rank(one.value) - rank(other.value));
  /** @param {any} value */
  const choose = (value) => {
    writeText(key, JSON.stringify([value, ...recent.filter((each) => each !== value)].slice(0, RECENT)));
    onChosen(value);
  };
  return html`<${Sheet} title=${title} onClose=${onClose}>
    <label><span class="sr">${t("search")}</span><input type="search" placeholder=${t("search")} value=${search} onInput=${(/** @type {any} */ event) => setSearch(event.target.value)} /></label>
    <p class="note" role="status">${t("rules_found", { n: found.length })}</p>
    <div class="picks">${found.slice(0, SHOWN).map(({ value, name }) => html`<button type="button" key=${value} data-value=${value} onClick=${() => choose(value)}>
      <${Face} design=${findDesign(value, wording)} game=${wording.game} /><span>${name}</span></button>`)}</div>
    ${found.length > SHOWN && html`<p class="note">${t("rules_more", { n: found.length - SHOWN })}</p>`}<//>`;
}
