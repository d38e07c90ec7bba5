// @ts-check
// After the end: how a match went, how evenly real dice fell, and who is how far in the standings.
import { call, matchPath } from "../lib/api.js";
import { html, useEffect, useState } from "../lib/html.js";
import { language, nameSeat, say, t } from "../lib/words.js";
import { Die, SeatMark } from "./basic.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */

const WIDTH = 300, HEIGHT = 96, GAP = 10, MOST_RANKS = 5;

/** @param {number} number */
const write = (number) => number.toLocaleString(language(), { maximumFractionDigits: 1 });

/** Ask once more whenever the address changes; null until there is an answer, or if there is none. @param {string} path @param {string | undefined} token @returns {any} */
function useAnswer(path, token) {
  const [found, setFound] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let isCurrent = true;
    call("GET", path, { token }).then((answer) => isCurrent && setFound(answer), () => isCurrent && setFound(null));
    return () => void (isCurrent = false);
  }, [path]);
  return found;
}

/** Say in plain numbers how often fair dice fall at least this unevenly. @param {Schemas["Die"]} die */
function tellChance({ p, verdict, says }) {
  if (p === null || verdict === "too_few") return say(says);
  if (p >= 0.95) return t("dice_nearly_all");
  if (p >= 0.095) return t("dice_of_ten", { n: Math.round(p * 10) });
  return p >= 0.015 ? t("dice_of_hundred", { n: Math.round(p * 100) }) : t(p >= 0.005 ? "dice_one_of_hundred" : "dice_rarer");
}

/** How often each face came up, with a line where fair dice would end. @param {{match: string, token?: string, isSmall?: boolean}} props */
export function Evenness({ match, token, isSmall = false }) {
  const found = /** @type {Schemas["MatchFairness"] | null} */ (useAnswer(`${matchPath(match)}/fairness`, token)), die = found?.dice[0];
  if (!die) return null;
  const most = Math.max(...die.counts, die.expected, 1), wide = (WIDTH - GAP * (die.counts.length - 1)) / die.counts.length, up = (/** @type {number} */ count) => (HEIGHT * count) / most;
  const spoken = die.counts.map((count, at) => t("dice_face", { face: at + 1, n: count })).join(", ");
  return html`<section class=${`evenness ${isSmall ? "beside" : ""}`}><h2 class="grp">${t("dice")}</h2><div class="course">
    <svg viewBox=${`0 -16 ${WIDTH} ${HEIGHT + 16}`} role="img" aria-label=${`${spoken}. ${t("dice_expected", { n: write(die.expected) })}`}>
      ${die.counts.map((count, at) => html`<rect key=${at} class="bar-of-die" x=${at * (wide + GAP)} y=${HEIGHT - up(count)} width=${wide} height=${up(count)} rx="4" />
        <text key=${`n${at}`} class=${up(count) < 24 ? "num" : "num in-bar"} x=${at * (wide + GAP) + wide / 2} y=${HEIGHT - (up(count) < 24 ? up(count) + 4 : 7)} text-anchor="middle">${count}</text>`)}
      <path class="expected" d=${`M0 ${HEIGHT - up(die.expected)}H${WIDTH}`} /></svg>
    ${die.sides === 6 && html`<div class="faces" aria-hidden="true">${die.counts.map((_, at) => html`<${Die} key=${at} value=${at + 1} />`)}</div>`}
    <p class="note"><span class="dash" aria-hidden="true"></span> ${t("dice_expected", { n: write(die.expected) })} · ${t("dice_thrown", { n: die.thrown })}</p></div>
    <p class="small">${tellChance(die)}</p></section>`;
}

/** The best players with an account, if there are any. @param {{game: string, variant?: string}} props */
export function Standings({ game, variant }) {
  const query = `?game=${encodeURIComponent(game)}${variant ? `&variant=${encodeURIComponent(variant)}` : ""}`;
  const found = /** @type {Schemas["Standings"] | null} */ (useAnswer(`/v1/standings${query}`, undefined));
  const players = (found?.items ?? []).filter((each) => each.kind === "player");
  if (players.length === 0) return null;
  return html`<section><h2 class="grp">${t("standings")}</h2><ol class="course ranks">${players.slice(0, MOST_RANKS).map((each) => html`<li class="row" key=${each.id}><b class="num">${each.rank}.</b>
      <span class="grow">${each.name ?? t("standings_nameless")}</span><span class="note">${t("standings_won", { won: each.won, played: each.played })}</span>
      ${each.rating !== null && html`<b class="num">${write(each.rating)}</b>`}</li>`)}</ol>
    ${players.some((each) => each.rating !== null) && html`<figure class="course strengths"><img alt=${t("standings_plot")} src=${`/v1/standings.svg${query}&lang=${language()}`} />
      <figcaption class="note">${t("standings_plot_says")}</figcaption></figure>`}</section>`;
}

const SAMPLES = 14, LONG = 340, TALL = 150, EDGE = 12;

/** @type {Record<string, {label: string, count: (seat: any) => number | null | undefined} | null>} what tells how far a seat has come; null: nothing does */
const MEASURES = {
  here_to_slay: { label: "course_party", count: (seat) => seat.slain.length + (seat.party?.length ?? 0) },
  munchkin: { label: "course_level", count: (seat) => seat.level },
  monster_combat: { label: "course_hearts", count: (seat) => seat.hearts },
  creature_crush: { label: "course_cards_left", count: (seat) => seat.cards_left },
  shy_monsters: null,
};
const CARDS = { label: "course_cards", count: (/** @type {any} */ seat) => seat.hand?.count };

/** A line for each seat over the versions, from the boards that anyone may see. @param {{match: string, token?: string, version: number, drawing: any}} props */
export function Course({ match, token, version, drawing }) {
  const measure = drawing.game in MEASURES ? MEASURES[drawing.game] : CARDS;
  const [boards, setBoards] = useState(/** @type {{at: number, board: any}[]} */ ([]));
  useEffect(() => {
    if (!measure) return;
    let isCurrent = true;
    loadBoards(match, token, version).then((found) => isCurrent && setBoards(found), () => {});
    return () => void (isCurrent = false);
  }, [match, version]);
  if (!measure || boards.length < 3) return null;
  const seats = /** @type {number[]} */ (boards[0]?.board.seats.map((/** @type {any} */ each) => each.seat));
  const lines = seats.map((seat) => boards.map(({ at, board }) => ({ at, count: measure.count(board.seats.find((/** @type {any} */ each) => each.seat === seat)) ?? 0 })));
  const most = Math.max(1, ...lines.flat().map(({ count }) => count));
  /** @param {number} at */
  const across = (at) => EDGE + ((LONG - 2 * EDGE) * at) / version;
  /** @param {number} count */
  const up = (count) => TALL - EDGE - ((TALL - 2 * EDGE) * count) / most;
  const spoken = lines.map((line, index) => `${nameSeat(seats[index] ?? 0, drawing.names)}: ${line[0]?.count} – ${line.at(-1)?.count}`).join("; ");
  return html`<section><h2 class="grp">${t(measure.label)}</h2><div class="course">
    <svg viewBox=${`0 0 ${LONG} ${TALL}`} role="img" aria-label=${spoken}>
      <path class="axis" d=${`M${EDGE} ${EDGE}V${TALL - EDGE}H${LONG - EDGE}`} />
      <text class="num" x=${EDGE + 4} y=${EDGE + 6}>${most}</text>
      ${lines.map((line, index) => html`<polyline key=${index} class=${`line-${((seats[index] ?? 0) % 7) + 1}`} points=${line.map(({ at, count }) => `${across(at)},${up(count)}`).join(" ")} />`)}</svg>
    <ul class="row wrap">${lines.map((line, index) => html`<li class="row" key=${index}><${SeatMark} seat=${seats[index]} name=${nameSeat(seats[index] ?? 0, drawing.names)} />
      ${nameSeat(seats[index] ?? 0, drawing.names)} <b class="num">${line.at(-1)?.count}</b></li>`)}</ul></div></section>`;
}

/** Load the board at some versions from the start to the end. @param {string} match @param {string | undefined} token @param {number} version */
async function loadBoards(match, token, version) {
  const versions = [...new Set(Array.from({ length: SAMPLES }, (_, at) => Math.max(3, Math.round((version * (at + 1)) / SAMPLES))))];
  const views = await Promise.all(versions.map((each) => call("GET", `${matchPath(match)}/board?version=${each}`, { token })));
  return views.flatMap((view, at) => (view.board ? [{ at: versions[at] ?? 0, board: view.board }] : []));
}
