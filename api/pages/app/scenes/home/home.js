// @ts-check
// The front page: open a table, join one, go back to one's own, watch one that is public.
import { call, matchPath, Refused } from "../../lib/api.js";
import { forgetSeat, listSeats } from "../../lib/device.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { joinWords, nameSeat, say, t, tellApart } from "../../lib/words.js";
import { LanguageSwitch, Tap } from "../../parts/basic.js";
import { useGames } from "../../parts/games.js";
import { ProblemSheet, readProblem } from "../../parts/ruling.js";

/** @param {{go: (address: string) => void, language: string, setLanguage: (language: "de" | "en") => void}} props */
export default function Home({ go, language, setLanguage }) {
  const games = useGames();
  const [tables, setTables] = useState(/** @type {any[]} */ ([]));
  useEffect(() => {
    call("GET", "/v1/matches?status=running&limit=6").then((found) => setTables(found.items), () => setTables([]));
  }, []);
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const watchBots = () => openDemo().then((match) => go(`/table#${match}`), (failure) => setProblem(readProblem(failure)));
  /** @param {string} game */
  const title = (game) => say(games.find((each) => each.name === game)?.title) || game;
  const offices = listSeats().some((each) => each.role === "arbiter");
  return html`<div class="poster" aria-hidden="true"></div><main class="home">
    <div class="row"><h1 class="grow">${t("home_title")}</h1><${LanguageSwitch} language=${language} onChoose=${setLanguage} /></div>
    <p class="ask">${t("home_lead")}</p>
    <div class="grid2"><button class="call tall" onClick=${() => go("/host")}><b>${t("home_host")}</b><small>${t("home_host_small")}</small></button>
      <button class="tall" onClick=${() => go("/join")}><b>${t("home_join")}</b><small>${t("home_join_small")}</small></button>
      <button class="span2" onClick=${() => go("/host#bots")}><b>${t("home_alone")}</b><small>${t("home_alone_small")}</small></button></div>
    <${OwnTables} title=${title} />
    ${offices && html`<section><h2 class="grp">${t("desk_title")}</h2><a class="btn wide" href="/desk"><b>${t("home_desk")}</b></a></section>`}
    <section><h2 class="grp">${t("home_watch")}</h2>
      ${tables.length === 0 ? html`<p class="note">${t("home_none")}</p><${Tap} kind="wide" onTap=${watchBots}><b>${t("home_demo")}</b><small>${t("home_demo_small")}</small><//>` : html`<ul class="list">${tables.map((each) => html`<li>
        <a class="btn wide" href=${`/table#${each.match}`}><b>${title(each.game)}</b></a></li>`)}</ul>`}</section>
    <section><h2 class="grp">${t("home_more")}</h2><ul class="list">
      <li><a class="btn wide" href="/judge"><b>${t("home_judge")}</b></a></li><li><a class="btn wide" href="/cards"><b>${t("cards_title")}</b><small>${t("home_cards_small")}</small></a></li><li><a class="btn wide" href="/rules"><b>${t("home_rules")}</b></a></li><li><a class="btn wide" href="/tournament"><b>${t("home_tournament")}</b></a></li><li><a class="btn wide" href="/verify"><b>${t("home_verify")}</b></a></li>
      <li><a class="btn wide" href="/docs">${t("home_docs")}</a></li></ul></section>
  </main>${problem && html`<${ProblemSheet} problem=${problem} onClose=${() => setProblem(null)} />`}`;
}

const MOST_OWN = 12; // tables that are asked about

/** The tables at which this device sits or watches; those that are over are folded. @param {{title: (game: string) => string}} props */
function OwnTables({ title }) {
  const saved = listSeats().filter((each) => each.seat !== null || ["spectator", "auditor"].includes(each.role)).slice(0, MOST_OWN);
  const [known, setKnown] = useState(/** @type {Record<string, {status: string, awaits: any[], names: Record<string, string>}>} */ ({}));
  useEffect(() => saved.forEach((each) => void describe(each).then((found) => setKnown((before) => ({ ...before, [each.match]: found })),
    (failure) => { // a match that is gone is no longer listed
      if (failure instanceof Refused && [401, 403, 404].includes(failure.status)) forgetSeat(each.match, each.role), setKnown((before) => ({ ...before }));
    })), []);
  /** @param {import("../../lib/device.js").SavedSeat} each */
  const draw = (each) => {
    const found = known[each.match], { seat, match } = each, isMine = found?.status === "running" && found.awaits.includes(/** @type {any} */ (seat));
    const others = Object.entries(found?.names ?? {}).filter(([other]) => Number(other) !== seat).map(([other, name]) => name || nameSeat(Number(other), {}));
    return html`<li key=${`${match}/${each.role}`}><a class=${`btn wide ${isMine ? "call" : ""}`} href=${seat === null ? `/table#${match}` : `/play#${match}/${seat}`}><b>${title(each.game)}</b>
      ${found && html`<small>${[seat === null && t("home_watching"), others.length > 0 && t("home_with", { names: joinWords(others) }), isMine ? t("your_turn") : t(isOver(found) ? "status_finished" : `status_${found.status}`)].filter(Boolean).join(" · ")}</small>`}</a></li>`;
  };
  const over = saved.filter((each) => isOver(known[each.match])), open = saved.filter((each) => !over.includes(each));
  if (saved.length === 0) return null;
  return html`<section><h2 class="grp">${t("home_mine")}</h2><ul class="list">${open.map(draw)}</ul>
    ${over.length > 0 && html`<details><summary>${t("home_over", { n: over.length })}</summary><ul class="list">${over.map(draw)}</ul></details>`}</section>`;
}

/** @param {{status: string} | undefined} found */
const isOver = (found) => found !== undefined && !["lobby", "running", "disputed"].includes(found.status);

/** Ask how a table stands, and who sits there. @param {import("../../lib/device.js").SavedSeat} saved */
async function describe({ match, token }) {
  const [about, { names }] = await Promise.all(["", "/names"].map((path) => call("GET", matchPath(match) + path, { token, tries: 1 })));
  const seats = about.seats.filter((/** @type {any} */ each) => each.taken || each.kind === "bot");
  return { status: about.status, awaits: about.awaits,
    names: tellApart(Object.fromEntries(seats.map((/** @type {any} */ each) => [each.seat, names[each.seat] || (each.taken ? "" : `Bot ${each.seat + 1}`)]))) };
}

/** Open a public table of bots and start it. @returns {Promise<string>} the match */
async function openDemo() {
  const seats = [1, 2, 3].map(() => ({ kind: "bot", level: 1 }));
  const opened = await call("POST", "/v1/matches", { body: { game: "here_to_slay", variant: "standard", seats, visibility: "public" } });
  await call("POST", `${matchPath(opened.match)}/start`, { token: opened.token, ifMatch: opened.version });
  return opened.match;
}
