// @ts-check
// How a match went: a slider over its versions with the board at each, what happened and why, filters, print and share.
import { findDrawer, readBoard } from "../../boards/boards.js";
import { Refused } from "../../lib/api.js";
import { explainEntry, listEntries, loadBoard, loadBundle, loadTimeline, loadTranscript, makeWatchLink } from "../../lib/court.js";
import { findSeat, listSeats } from "../../lib/device.js";
import { useMatch } from "../../lib/follow.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { findReceipts, findRefusals } from "../../lib/receipts.js";
import { nameSeat, say, t } from "../../lib/words.js";
import { Clause, Instead, SeatMark, Tap, Toggle } from "../../parts/basic.js";
import { findCoveredText, isTold } from "../../parts/entry.js";
import { useCards } from "../../parts/games.js";
import { ProblemSheet, readProblem } from "../../parts/ruling.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

const STEP = 1200; // milliseconds for each entry while it plays

/** @param {{hash: string}} props `hash` is match or match/seat */
export default function History({ hash }) {
  const [match = "", number = ""] = hash.split("/"), seat = number === "" ? null : Number(number);
  const saved = seat === null ? listSeats().find((each) => each.match === match) : findSeat(match, `seat:${seat}`);
  const viewer = { match, seat: saved ? seat : null, token: saved?.token };
  const followed = useMatch(viewer), { about, names, refusal } = followed;
  const cards = useCards(about?.game, about?.edition);
  if (refusal) return html`<${Instead} title=${t("went_wrong")} text=${refusal.message} />`;
  if (!about) return html`<${Instead} />`;
  return html`<${Replay} viewer=${viewer} about=${about} drawing=${{ game: about.game, cards, names, me: viewer.seat }} last=${about.version} />`;
}

/** @param {{viewer: import("../../lib/court.js").Viewer, about: Schemas["Match"], drawing: any, last: number}} props */
function Replay({ viewer, about, drawing, last }) {
  const [entries, setEntries] = useState(/** @type {Schemas["Entry"][]} */ ([]));
  const [undone, setUndone] = useState(/** @type {any[]} */ ([]));
  const [filter, setFilter] = useState(/** @type {string | number} */ ("all"));
  const [at, setAt] = useState(last);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    listEntries(viewer, 0).then(setEntries, () => setEntries([]));
    loadTimeline(viewer).then((timeline) => setUndone(timeline.stretches.filter((/** @type {Schemas["VersionRange"]} */ each) => each.state !== "current")), () => setUndone([]));
  }, [last]);
  const shown = entries.filter((entry) => isTold(entry.move) && isShown(entry, filter)), entry = entries.filter((each) => isTold(each.move) && each.version <= at).at(-1);
  const place = shown.findIndex((each) => each.version >= at);
  /** @param {number} steps */
  const step = (steps) => setAt(shown[Math.min(shown.length - 1, Math.max(0, (place < 0 ? shown.length - 1 : place) + steps))]?.version ?? at);
  useEffect(() => {
    if (!isPlaying) return;
    if (at >= (shown.at(-1)?.version ?? 0)) return setPlaying(false);
    const timer = setTimeout(() => step(1), STEP);
    return () => clearTimeout(timer);
  }, [isPlaying, at]);
  const isUndone = undone.some((each) => at >= each.from && at <= each.to);
  return html`<main class="court"><h1>${t("history_title")}</h1>
    <div class="row wrap">${/** @type {[string | number, any][]} */ ([["all", t("history_all")], ["rolls", t("history_rolls")], ["rulings", t("history_rulings")],
      ...about.seats.map((each) => [each.seat, nameSeat(each.seat, drawing.names)])]).map(([name, label]) => html`<${Toggle} key=${name} on=${filter === name} onClick=${() => setFilter(name)}>${label}<//>`)}</div>
    <section class="ref" role="status"><p class="note"><span class="num">${t("history_entry", { n: entry?.version ?? at })}</span>${isUndone ? ` · ${t("history_undone")}` : ""}</p>
      ${entry ? html`<div class="row">${typeof entry.seat === "number" && html`<${SeatMark} seat=${entry.seat} name=${nameSeat(entry.seat, drawing.names)} />`}<p class="ask">${findCoveredText(entry, drawing.names, drawing.cards, drawing.me)}</p></div>
        <${Why} viewer=${viewer} version=${entry.version} drawing=${drawing} />` : html`<p>${t("history_none")}</p>`}</section>
    <div class="replay"><input type="range" min="1" max=${last} value=${at} aria-label=${t("history_title")} aria-valuetext=${t("history_entry", { n: at })} style=${{ "--at": `${(100 * at) / Math.max(1, last)}%` }}
      onInput=${(/** @type {any} */ event) => setAt(Number(event.target.value))} /></div>
    <div class="row"><button class="grow" aria-label=${t("history_first")} onClick=${() => setAt(shown[0]?.version ?? 1)}>«</button><button class="grow" aria-label=${t("history_back")} onClick=${() => step(-1)}>◀</button>
      <button class="grow solid" aria-label=${t(isPlaying ? "history_pause" : "history_play")} onClick=${() => setPlaying(!isPlaying)}>${isPlaying ? "⏸" : "▶"}</button>
      <button class="grow" aria-label=${t("history_next")} onClick=${() => step(1)}>▶|</button><button class="grow" aria-label=${t("history_last")} onClick=${() => setAt(last)}>»</button></div>
    <${BoardAt} viewer=${viewer} version=${at} drawing=${drawing} />
    <${Files} viewer=${viewer} about=${about} names=${drawing.names} />
    <a class="btn wide" href=${viewer.seat === null ? `/table#${viewer.match}` : `/play#${viewer.match}/${viewer.seat}`}>${t("court_play_on")}</a></main>`;
}

/** @param {Schemas["Entry"]} entry @param {string | number} filter */
function isShown(entry, filter) {
  const type = entry.move?.type ?? "";
  if (filter === "rolls") return type === "chance.rolled";
  if (filter === "rulings") return /^table\.(?:dispute|rule|vote|attest|takeback|correct)/.test(type);
  return filter === "all" || entry.seat === filter;
}

/** Why it was so: clauses and numbers, once somebody asks. @param {{viewer: import("../../lib/court.js").Viewer, version: number, drawing: any}} props */
function Why({ viewer, version, drawing }) {
  const [found, setFound] = useState(/** @type {Schemas["Explanation"] | null} */ (null));
  useEffect(() => setFound(null), [version]);
  const load = () => explainEntry(viewer, version).then(setFound, () => {});
  return html`<details key=${version} onToggle=${(/** @type {any} */ event) => event.target.open && load()}><summary>${t("history_why")}</summary>
    ${found?.clauses.map((clause) => html`<${Clause} key=${clause.id} clause=${clause} names=${drawing.names} game=${drawing.game} />`)}
    ${(found?.numbers.length ?? 0) > 0 && html`<h3 class="grp">${t("history_numbers")}</h3><ul>${found?.numbers.map((term) => html`<li>${say(term.says, drawing.names)} <b class="num">${term.value}</b></li>`)}</ul>`}</details>`;
}

/** @param {{viewer: import("../../lib/court.js").Viewer, version: number, drawing: any}} props */
function BoardAt({ viewer, version, drawing }) {
  const [view, setView] = useState(/** @type {Schemas["BoardView"] | null} */ (null));
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => loadBoard(viewer, version).then((found) => isCurrent && setView(found), () => isCurrent && setView(null)), 80); // a slider passes many
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [version]);
  const drawer = findDrawer(drawing.game);
  return view?.board ? html`<h2 class="sr">${t("table")}</h2><${drawer.Table} board=${readBoard(view)} drawing=${drawing} />` : null;
}

/** Print and share. @param {{viewer: import("../../lib/court.js").Viewer, about: Schemas["Match"], names: Record<string, string>}} props */
function Files({ viewer, about, names }) {
  const [shares, setShares] = useState("");
  const [words, setWords] = useState("");
  useEffect(() => void import("../../chain/spoken.js").then((found) => found.describeRoot(viewer)).then(setWords, () => {}), [viewer.match]);
  useEffect(() => void import("../../chain/shares.js").then((found) => setShares(found.describeShares(about, names)), () => {}), [about, names]);
  const [link, setLink] = useState(/** @type {string | null | undefined} */ (undefined));
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const share = () => makeWatchLink(viewer.match, about.visibility === "public", findSeat(viewer.match, "host")?.token).then(setLink, (failure) => {
    if (failure instanceof Refused) setLink(null);
    else setProblem(readProblem(failure));
  });
  /** @param {Promise<Blob>} loaded @param {string} ending */
  const save = (loaded, ending) => loaded.then((file) => saveFile(file, `${viewer.match}.${ending}`), (failure) => setProblem(readProblem(failure)));
  const kept = listKept(viewer.match);
  return html`<details><summary>${t("history_files")}</summary><div class="stack"><${Tap} kind="wide" onTap=${() => save(loadTranscript(viewer), "html")}>${t("history_print")}<//>
    <${Tap} kind="wide" onTap=${() => save(loadBundle(viewer), "bundle")}><b>${t("history_proof")}</b><small>${t("history_proof_small")}</small><//>${kept.map(({ list, ending, text }) => html`<${Tap} key=${ending} kind="wide" onTap=${() => saveFile(new Blob([text]), `${viewer.match}.${ending}`)}>${t(`history_${ending}`, { n: list.length })}<//>`)}${shares && html`<p class="note">${shares}</p>`}${words && html`<p class="note">${words}</p>`}<${Tap} kind="wide" onTap=${share}>${t("history_share")}<//>
    ${link === null && html`<p class="note" role="status">${t("history_share_host")}</p>`}${link && html`<input readonly value=${link} aria-label=${t("history_share")} onFocus=${(/** @type {any} */ event) => event.target.select()} />`}
    <a class="btn wide" href="/verify">${t("home_verify")}</a></div></details>
  ${problem && html`<${ProblemSheet} problem=${problem} onClose=${() => setProblem(null)} />`}`;
}

/** What this device keeps of the match as a proof, as files that `referee verify` reads. @param {string} match */
function listKept(match) {
  const receipts = findReceipts(match), refusals = findRefusals(match);
  return [{ ending: "receipts", list: receipts, text: receipts.join("") }, { ending: "refusals", list: refusals, text: refusals.map((each) => `${JSON.stringify(each)}\n`).join("") }].filter(({ list }) => list.length);
}

/** @param {Blob} file @param {string} name */
function saveFile(file, name) {
  const address = URL.createObjectURL(file), link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
