// @ts-check
// The ruling: the verdict to read aloud, the clauses with their sentences, the sums, and what would follow or have been legal.
import { html } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { Clause } from "../../parts/basic.js";
import { Sums } from "../seat/asked.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {import("./written.js").Wording} Wording */

/** @param {{ruling: any, wording: Wording, game: string}} props */
export function Ruling({ ruling, wording, game }) {
  const { verdict, asked } = ruling, sums = ruling.sums.filter((/** @type {any} */ sum) => sum.parts?.length > 0);
  const rests = ruling.rests_on.filter((/** @type {any} */ each) => each.hangs || each.by.length > 0);
  return html`<section class="ref stack verdict" role="status"><p class="note">${say(asked.title)}${asked.question ? ` · ${say(asked.question.asks)}` : ""}</p>
    <h2 class=${verdict === "granted" ? "yes" : verdict === "refused" ? "no" : ""}>${t(`judge_${verdict}`)}</h2>
    <p class="ask">${say(ruling.aloud)}</p>
    ${ruling.quarrel?.told && html`<p><b>${say(ruling.quarrel.told)}</b></p>`}
    ${ruling.needs.length > 0 && html`<div>${verdict === "granted" && html`<h3 class="grp">${t("judge_depends")}</h3>`}${ruling.needs.map((/** @type {any} */ need) => html`<p key=${need.key}>${say(need.asks)}</p>`)}</div>`}
    ${ruling.clauses.map((/** @type {any} */ clause) => html`<${Clause} key=${clause.id} clause=${clause} names=${wording.names} game=${game} />`)}
    ${ruling.way_out.length > 0 && html`<div><h3 class="grp">${t("judge_instead")}</h3><ul class="plain">${ruling.way_out.map((/** @type {any} */ way) => html`<li key=${JSON.stringify(way.move)}>${say(way.because)}</li>`)}</ul></div>`}
    ${ruling.events.some((/** @type {any} */ event) => event.told) && html`<div><h3 class="grp">${t("judge_follows")}</h3><ul class="plain">${ruling.events.filter((/** @type {any} */ event) => event.told)
      .map((/** @type {any} */ event, /** @type {number} */ at) => html`<li key=${at}>${say(event.told)}</li>`)}</ul></div>`}
    ${verdict === "granted" && ruling.next?.question && html`<div><h3 class="grp">${t("judge_next")}</h3><p>${say(ruling.next.question.asks)}</p></div>`}
    ${sums.length > 0 && html`<details><summary>${t("sums")}</summary><${Sums} sums=${sums} names=${wording.names} /></details>`}
    ${rests.length > 0 && html`<details open=${rests.some((/** @type {any} */ each) => each.hangs)}><summary>${t("judge_open")}</summary>${rests.map((/** @type {any} */ each) => html`<${Reading} key=${each.clause.id} rests=${each} game=${game} />`)}</details>`}
    ${["assumed", "as_if"].map((name) => ruling[name].length > 0 && html`<details key=${name}><summary>${t(`judge_${name}`)}</summary><ul class="plain">${ruling[name].map((/** @type {any} */ each) => html`<li key=${each.pointer}>${say(each.told)}</li>`)}</ul></details>`)}
    ${ruling.open_facts.map((/** @type {any} */ fact) => html`<div key=${fact.pointer}><h3 class="grp">${say(fact.asks)}</h3><ul class="plain">${fact.answers.map((/** @type {any} */ each) => html`<li key=${JSON.stringify(each.value)}>${say(each.says)}: ${t(`judge_${each.verdict}`)}</li>`)}</ul></div>`)}
  </section>`;
}

/** What the rulebook leaves open, and how it is read. @param {{rests: any, game: string}} props */
const Reading = ({ rests, game }) => html`<div class="stack reading"><p><b>${say(rests.open)}</b></p><${Clause} clause=${rests.clause} game=${game} />${rests.why && html`<p class="small">${say(rests.why)}</p>`}
  ${rests.others.filter((/** @type {any} */ each) => each.differs && each.verdict).map((/** @type {any} */ each) => html`<p class="small" key=${each.reading}>${t("judge_other_reading")} ${say(each.says) || each.value}: <b>${t(`judge_${each.verdict}`)}</b>. ${say(each.reason)}</p>`)}</div>`;
