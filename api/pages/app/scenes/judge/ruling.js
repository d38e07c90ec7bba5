// @ts-check
// The ruling: the verdict to read aloud, the clauses with their sentences, the sums, and what would follow or have been legal.
import { html } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { Clause } from "../../parts/basic.js";
import { Sums } from "../seat/asked.js";
import { tellPlace } from "./written.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {import("./written.js").Wording} Wording */

/** @param {{ruling: any, wording: Wording, game: string, readings: Record<string, any>, onReadings: (readings: Record<string, any>) => void}} props `readings`: those that the table agreed on */
export function Ruling({ ruling, wording, game, readings, onReadings }) {
  const { verdict, asked } = ruling, sums = ruling.sums.filter((/** @type {any} */ sum) => sum.parts?.length > 0);
  const rests = ruling.rests_on.filter((/** @type {any} */ each) => each.hangs || each.by.length > 0);
  return html`<section class="ref stack verdict" role="status"><p class="note">${say(asked.title)}${asked.question ? ` · ${say(asked.question.asks, wording.names)}` : ""}</p>
    <h2 class=${verdict === "granted" ? "yes" : verdict === "refused" ? "no" : ""}>${t(`judge_${verdict}`)}</h2>
    <p class="ask">${say(ruling.aloud, wording.names)}</p>
    ${ruling.quarrel?.told && html`<p><b>${say(ruling.quarrel.told, wording.names)}</b></p>`}
    ${ruling.quarrel && html`<${Compared} compared=${ruling.quarrel} wording=${wording} />`}
    ${ruling.quarrel?.parties.map((/** @type {any} */ party) => html`<div class="party" key=${party.seat} data-party=${party.seat}><p class=${party.right === null ? "" : party.right ? "yes" : "no"}><b>${say(party.told, wording.names)}</b></p>
      ${party.says && html`<p class="small">${t("judge_quoted", { words: party.says })}</p>`}<${Compared} compared=${party} wording=${wording} /></div>`)}
    ${ruling.house_rulings.map((/** @type {any} */ each) => html`<p class="small" key=${each.clause}>${each.clause}: ${say(each.says)}</p>`)}
    ${ruling.needs.length > 0 && html`<div>${verdict === "granted" && html`<h3 class="grp">${t("judge_depends")}</h3>`}${ruling.needs.map((/** @type {any} */ need) => html`<p key=${need.key}>${say(need.asks, wording.names)}</p>`)}</div>`}
    ${ruling.clauses.map((/** @type {any} */ clause) => html`<${Clause} key=${clause.id} clause=${clause} names=${wording.names} game=${game} />`)}
    ${ruling.way_out.length > 0 && html`<div><h3 class="grp">${t("judge_instead")}</h3><ul class="plain">${ruling.way_out.map((/** @type {any} */ way) => html`<li key=${JSON.stringify(way.move)}>${say(way.because, wording.names)}</li>`)}</ul></div>`}
    ${ruling.events.some((/** @type {any} */ event) => event.told) && html`<div><h3 class="grp">${t("judge_follows")}</h3><ul class="plain">${ruling.events.filter((/** @type {any} */ event) => event.told)
      .map((/** @type {any} */ event, /** @type {number} */ at) => html`<li key=${at}>${say(event.told, wording.names)}</li>`)}</ul></div>`}
    ${verdict === "granted" && ruling.next?.question && html`<div><h3 class="grp">${t("judge_next")}</h3><p>${say(ruling.next.question.asks, wording.names)}</p></div>`}
    ${sums.length > 0 && html`<details><summary>${t("sums")}</summary><${Sums} sums=${sums} names=${wording.names} /></details>`}
    ${rests.length > 0 && html`<details open=${rests.some((/** @type {any} */ each) => each.hangs)}><summary>${t("judge_open")}</summary>${rests.map((/** @type {any} */ each) => html`<${Reading} key=${each.clause.id} rests=${each} game=${game} wording=${wording} readings=${readings} onReadings=${onReadings} />`)}</details>`}
    ${["assumed", "as_if"].map((name) => ruling[name].length > 0 && html`<details key=${name}><summary>${t(`judge_${name}`)}</summary><ul class="plain">${ruling[name].map((/** @type {any} */ each) => html`<li key=${each.pointer}>${say(each.told, wording.names)}</li>`)}</ul></details>`)}
    ${ruling.open_facts.map((/** @type {any} */ fact) => html`<div key=${fact.pointer}><h3 class="grp">${say(fact.asks, wording.names)}</h3><ul class="plain">${fact.answers.map((/** @type {any} */ each) => html`<li key=${JSON.stringify(each.value)}>${say(each.says, wording.names)}: ${t(`judge_${each.verdict}`)}</li>`)}</ul></div>`)}
  </section>`;
}

/** What was said, held against the rules. @param {{compared: any, wording: Wording}} props */
const Compared = ({ compared, wording }) => (compared.checked.length || compared.bears_told ? html`<ul class="plain">${compared.checked.map((/** @type {any} */ each) => html`<li key=${each.what}>${tellCheck(each, wording)}</li>`)}
  ${compared.bears_told && html`<li>${say(compared.bears_told, wording.names)}</li>`}</ul>` : null);

/** Return a check in words, its place as people call it. @param {any} check @param {Wording} wording */
const tellCheck = (check, wording) => (check.what === "legal" ? say(check.told, wording.names) : say(check.told, wording.names).replace(check.what, tellPlace(check.what, wording)));

/** What the rulebook leaves open, how it is read, and how the table reads it.
 * @param {{rests: any, game: string, wording: Wording, readings: Record<string, any>, onReadings: (readings: Record<string, any>) => void}} props */
function Reading({ rests, game, wording, readings, onReadings }) {
  const clause = rests.clause.id.replace(/-R[0-9]+$/, ""), { [clause]: chosen, ...others } = readings;
  /** @param {any} value */
  const agree = (value) => html`<button type="button" class="wide no-print" data-reading=${value} onClick=${() => onReadings({ ...others, [clause]: value })}>${t("judge_agree")}</button>`;
  return html`<div class="stack reading"><p><b>${say(rests.open, wording.names)}</b></p><${Clause} clause=${rests.clause} names=${wording.names} game=${game} />${rests.why && html`<p class="small">${say(rests.why, wording.names)}</p>`}
    ${chosen !== undefined ? html`<p class="small"><b>${t("judge_agreed")}</b></p><button type="button" class="wide no-print" onClick=${() => onReadings(others)}>${t("judge_reopen")}</button>` : rests.setting && !rests.setting.chosen && rests.hangs && agree(rests.setting.value)}
    ${rests.others.filter((/** @type {any} */ each) => each.differs && each.verdict).map((/** @type {any} */ each) => html`<p class="small" key=${each.reading}>${t("judge_other_reading")} ${say(each.says, wording.names) || each.value}: <b>${t(`judge_${each.verdict}`)}</b>. ${say(each.reason, wording.names)}</p>
      ${(!rests.setting.chosen || chosen !== undefined) && agree(each.reading)}`)}</div>`;
}
