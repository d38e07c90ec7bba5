// @ts-check
// House rulings by which a question is judged, too: those of matches that this device sits at, or of a file.
import { call } from "../../lib/api.js";
import { listSeats } from "../../lib/device.js";
import { html, useState } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { Tap } from "../../parts/basic.js";

const MOST = 100; // house rulings in one question

/** @param {{game: string, precedents: any[], onChange: (precedents: any[]) => void}} props */
export function HouseRulings({ game, precedents, onChange }) {
  const [note, setNote] = useState(""), matches = [...new Map(listSeats().filter((each) => each.game === game).map((each) => [each.match, each])).values()];
  /** @param {any} found */
  const add = (found) => {
    const binding = Array.isArray(found) ? found.filter((each) => each?.game === game && Array.isArray(each.readings) && each.readings.some((/** @type {any} */ reading) => reading.holds !== false)) : [];
    const known = new Set(precedents.map((each) => `${each.match} ${each.entry}`)), fresh = binding.filter((each) => !known.has(`${each.match} ${each.entry}`));
    setNote(t(binding.length ? "judge_house_found" : "judge_house_none", { n: fresh.length }));
    if (fresh.length) onChange([...precedents, ...fresh].slice(0, MOST));
  };
  /** @param {import("../../lib/device.js").SavedSeat} seat */
  const load = (seat) => call("GET", `/v1/matches/${seat.match}/precedents`, { token: seat.token }).then((found) => add(found.items), () => setNote(t("went_wrong")));
  /** @param {File | undefined} file */
  const open = (file) => file?.text().then((text) => {
    const read = JSON.parse(text);
    add(read.precedents ?? read.items ?? read);
  }).catch(() => setNote(t("judge_house_none")));
  return html`<details class="fold"><summary><span class="grow"><b>${t("judge_house")}</b><small class="detail">${precedents.length || ""}</small></span></summary><div class="stack"><p class="note">${t("judge_house_note")}</p>
    ${precedents.map((each) => html`<div class="row item" key=${`${each.match} ${each.entry}`}><div class="grow">${each.readings.map((/** @type {any} */ reading) => html`<p class="small" key=${reading.clause}><b>${t("judge_house_reading", { clause: reading.clause, n: reading.number })}</b> ${say(reading.says)}</p>`)}</div>
      <button type="button" class="icon take" aria-label=${t("judge_remove", { what: each.readings[0]?.clause ?? "" })} onClick=${() => onChange(precedents.filter((other) => other !== each))}>×</button></div>`)}
    ${matches.map((each) => html`<${Tap} key=${each.match} kind="wide" onTap=${() => load(each)}>${t("judge_house_of", { when: new Date(each.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) })}<//>`)}
    <label class="drop"><b>${t("judge_house_file")}</b><input type="file" accept=".json,application/json" onChange=${(/** @type {any} */ event) => { open(event.target.files[0]); event.target.value = ""; }} /></label>
    <p class="note" role="status">${note}</p></div></details>`;
}
