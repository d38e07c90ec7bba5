// @ts-check
// Check a match on this device alone: everything is loaded when the scene is shown, so the server may be gone afterwards.
import "./texts.js";
import { call, pause, Refused } from "../../lib/api.js";
import { findReceipts } from "../../lib/receipts.js";
import { html, useRef, useState } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { LanguageSwitch, Svg } from "../../parts/basic.js";
import { parseKeys, toHex, Unfit } from "./bytes.js";
import { readReceiptFile, unpackFile } from "./bundle.js";
import { checkBundle, findReceiptMatch, refuseFile } from "./checks.js";
import { findMissingConsents } from "./consents.js";
import { describeFinding } from "./findings.js";

/** @typedef {import("./checks.js").Report} Report */
/** @typedef {Report & {receipts: string[], isTrusted: boolean}} Checked */

const BUSY = "busy";

/** @type {Record<string, string>} */
const MARKS = {
  done: `<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="12" fill="var(--yes)"/><path d="M6.500 12.500l3.700 3.700 7.300-8" fill="none" stroke="var(--sheet)" stroke-width="2.600" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  failed: `<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="12" fill="var(--no)"/><path d="M7.500 7.500l9 9m0-9l-9 9" fill="none" stroke="var(--sheet)" stroke-width="2.600" stroke-linecap="round"/></svg>`,
  skipped: `<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10.500" fill="none" stroke="var(--ink-2)" stroke-width="2.200" stroke-dasharray="4 3.330"/></svg>`,
};

/** Check a file with what this device holds. @param {Blob} file @param {string[]} more @param {string} key */
async function checkFile(file, more, key) {
  const { trusted, witnesses } = parseKeys(key);
  try {
    const bytes = await unpackFile(file), { match } = checkBundle(bytes);
    const receipts = [...new Set([...findReceipts(match), ...more.filter((note) => findReceiptMatch(note) === match)])];
    return { ...checkBundle(bytes, { trusted, receipts, witnesses }), receipts, isTrusted: trusted.length > 0 };
  } catch (failure) {
    if (failure instanceof Unfit) return { ...refuseFile(failure), receipts: [], isTrusted: false };
    throw failure;
  }
}

/** @param {{language: string, setLanguage: (language: "de" | "en") => void, isSaved?: boolean}} props `isSaved`: this is a file of its own, and there is no server */
export default function Verify({ language, setLanguage, isSaved = false }) {
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [more, setMore] = useState(/** @type {string[]} */ ([]));
  const [key, setKey] = useState("");
  const [report, setReport] = useState(/** @type {any} */ (null));
  const [wrong, setWrong] = useState("");
  const [isOver, setOver] = useState(false);
  const asked = useRef(0); // a later question makes the answer to an earlier one void
  /** @param {File | null} chosen @param {string[]} receipts @param {string} trusted */
  async function check(chosen, receipts, trusted) {
    const number = ++asked.current;
    setWrong("");
    setReport(chosen && BUSY);
    await pause(0); // what was said of another file is gone before this one is looked into
    try {
      const found = chosen && (await checkFile(chosen, receipts, trusted));
      if (number === asked.current) setReport(found);
    } catch (failure) {
      if (!(failure instanceof Unfit)) throw failure;
      if (number !== asked.current) return;
      setReport(null);
      setWrong(t("verify_no_key"));
    }
  }
  /** @param {File | undefined} chosen */
  const choose = (chosen) => chosen && (setFile(chosen), check(chosen, more, key));
  /** @param {File | undefined} chosen */
  async function addReceipts(chosen) {
    if (!chosen) return;
    try {
      const notes = await readReceiptFile(chosen);
      setMore(notes);
      check(file, notes, key);
    } catch (failure) {
      if (!(failure instanceof Unfit)) throw failure;
      setWrong(t("verify_no_receipts"));
    }
  }
  return html`<main class="home library"><div class="row"><h1 class="grow">${t("verify_title")}</h1><${LanguageSwitch} language=${language} onChoose=${setLanguage} /></div><p>${t("verify_lead")}</p>
    <label class=${`drop ${isOver ? "over" : ""}`} onDragOver=${(/** @type {DragEvent} */ event) => (event.preventDefault(), setOver(true))} onDragLeave=${() => setOver(false)}
      onDrop=${(/** @type {DragEvent} */ event) => (event.preventDefault(), setOver(false), choose(event.dataTransfer?.files[0]))}>
      <b>${file?.name ?? t("verify_choose")}</b><span class="note">${t(file ? "verify_other" : "verify_choose_small")}</span>
      <input type="file" onChange=${(/** @type {any} */ event) => choose(event.target.files[0])} /></label>
    ${wrong && html`<p class="no" role="alert">${wrong}</p>`}
    ${report === BUSY ? html`<p class="note" role="status">${t("loading")}</p>` : report && html`<${Outcome} report=${report} key=${report} file=${file} isSaved=${isSaved} />`}
    <details><summary>${t("verify_more")}</summary><div class="form">
      <label>${t("verify_receipts")}<input type="file" onChange=${(/** @type {any} */ event) => addReceipts(event.target.files[0])} /></label>
      <label>${t("verify_key")}<input value=${key} spellcheck=${false} autocomplete="off" onInput=${(/** @type {any} */ event) => setKey(event.target.value)}
        onChange=${(/** @type {any} */ event) => check(file, more, event.target.value)} /></label>
      ${!isSaved && html`<p class="note">${t("verify_standalone")} <a href="/verify.py" download>verify.py</a></p>`}</div></details>
    ${!isSaved && html`<a class="btn wide" href="/verify.html" download="referee-verify.html"><b>${t("verify_save")}</b><small>${t("verify_save_small")}</small></a>`}
  </main>`;
}

/**
 * Return what the check comes to, as `referee verify` does: it proves something only if a key is known from outside, or
 * receipts agree. Else anybody could have made the file.
 * @param {Checked} report
 */
function findVerdict({ findings, isTrusted, checks }) {
  if (findings.length > 0) return "wrong";
  return isTrusted ? "key" : checks?.receipted ? "receipts" : "consistent";
}

/** @param {{report: Checked, file: File, isSaved: boolean}} props */
function Outcome({ report, file, isSaved }) {
  const [first] = report.findings, { isTrusted, checks } = report, verdict = findVerdict(report);
  return html`<section class="ref proof" aria-live="polite"><div class="row"><${Mark} state=${first ? "failed" : verdict === "consistent" ? "skipped" : "done"} /><div class="grow">
      <h2>${t(first ? "verify_refused" : verdict === "consistent" ? "verify_consistent" : "verify_sound")}</h2>
      <p class=${first ? "no" : "mute"}>${first ? t("verify_first", { step: t(`verify_step_${first.step}`) }) : t(`verify_by_${verdict}`, { n: report.size, upto: checks?.receipted ?? 0 })}</p></div></div>
    ${report.steps.length === 0 && first && html`<p>${describeFinding(first)}</p>`}
    <ol>${report.steps.map((each) => html`<${Step} key=${each.step} each=${each} report=${report} />`)}</ol>
    ${report.checks && findMissingConsents(report.checks).map(({ version, seats }) => html`<p class="no">${t("verify_unagreed", { n: version, players: seats.map((seat) => seat + 1).join(", ") })}</p>`)}
    ${report.checks && html`${report.checks.notices.map((notice) => html`<p class="note">${t(`verify_${notice.why}`, notice.values)}</p>`)}${isSaved ? html`<p class="note">${t("verify_rules_saved")}</p>` : html`<${Rules} file=${file} />`}
      <h3>${t("verify_not")}</h3><ul class="plain">
        ${!isTrusted && report.receipts.length === 0 && html`<li>${t("verify_not_key")}</li>`}
        <li>${t("verify_not_rules")}</li><li>${t("verify_not_times")}</li><li>${t("verify_not_views")}</li></ul>`}
  </section>`;
}

/** @param {{state: string}} props */
const Mark = ({ state }) => html`<span class="mark"><${Svg} svg=${MARKS[state] ?? ""} /><span class="sr">${t(`verify_${state}`)}</span></span>`;

/** @param {{each: Report["steps"][number], report: Checked}} props */
function Step({ each: { step, state, why }, report }) {
  const { checks, receipts, findings, isTrusted } = report;
  if (!checks) return null;
  const counts = { n: checks.size, keys: checks.lines("key").length, receipts: receipts.length, notes: checks.signed.length,
    draws: checks.lines("draw").length, parts: checks.log.reduce((all, { entry }) => all + entry.parts.length, 0), agree: checks.kept.length };
  const root = toHex(checks.roots.at(-1) ?? new Uint8Array(0));
  const sides = /** @type {Record<string, string>} */ ({ tree: `${root.slice(0, 4)}·${root.slice(-4)}`, signatures: "Ed25519", compared: receipts.length ? `${counts.agree} / ${receipts.length}` : "" });
  const older = step === "compared" && checks.isOlder ? "older" : "";
  const own = step === "keys" ? (isTrusted ? "trusted" : receipts.length ? "receipts" : "claimed") : older;
  const text = state === "skipped" ? t(`verify_${why}`) : state === "failed" ? t(`verify_step_${step}`) : t(`verify_done_${step}${own && `_${own}`}`, counts);
  const wrong = findings.filter((finding) => finding.step === step);
  return html`<li><${Mark} state=${state} /><div class="grow"><p>${text}</p>${wrong.slice(0, 5).map((finding) => html`<p class="no small">${describeFinding(finding)}</p>`)}
    ${wrong.length > 5 && html`<p class="no small">${t("verify_and_more", { n: wrong.length - 5 })}</p>`}</div>${state === "done" && sides[step] ? html`<code>${sides[step]}</code>` : null}</li>`;
}

/** The rules' replay, asked of this server. @param {{file: File}} props */
function Rules({ file }) {
  const [said, setSaid] = useState(/** @type {any} */ (null));
  async function ask() {
    setSaid({ text: t("loading"), state: "skipped" });
    try {
      setSaid(describeReport(await submitBundle(file)));
    } catch (failure) {
      setSaid({ text: failure instanceof Refused ? failure.message : t("verify_unreachable"), state: "skipped" });
    }
  }
  return html`<div class="row asked-rules"><${Mark} state=${said?.state ?? "skipped"} /><p class="grow" role="status">${said?.text ?? t("verify_rules_open")}</p>
    ${!said && html`<button onClick=${ask}>${t("verify_rules_ask")}</button>`}</div><p class="note">${t("verify_rules_other")}</p>`;
}

/** @param {any} report */
function describeReport(report) {
  if (report.sound) return { state: "done", text: t("verify_rules_done") };
  const [first] = report.findings;
  return { state: "failed", text: `${t("verify_rules_failed")} ${say(first?.says)}` };
}

/** Hand the bundle to this server and wait for its report. @param {File} file */
async function submitBundle(file) {
  const accepted = await call("POST", "/v1/bundles", { text: new TextDecoder().decode(await unpackFile(file)) });
  for (let asked = 0; asked < 120; asked++) {
    const found = await call("GET", `/v1/bundles/${accepted.id}`, { token: accepted.token });
    if (found.report) return found.report;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("late");
}
