// @ts-check
// The front page: open a table, join one, go back to one's own, watch one that is public.
import { call, matchPath } from "../../lib/api.js";
import { listSeats } from "../../lib/device.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { LanguageSwitch, Tap } from "../../parts/basic.js";
import { useGames } from "../../parts/games.js";

/** @param {{go: (address: string) => void, language: string, setLanguage: (language: "de" | "en") => void}} props */
export default function Home({ go, language, setLanguage }) {
  const games = useGames();
  const [tables, setTables] = useState(/** @type {any[]} */ ([]));
  useEffect(() => {
    call("GET", "/v1/matches?status=running&limit=6").then((found) => setTables(found.items), () => setTables([]));
  }, []);
  const watchBots = async () => go(`/table#${await openDemo()}`);
  /** @param {string} game */
  const title = (game) => say(games.find((each) => each.name === game)?.title) || game;
  const mine = listSeats().filter((each) => each.seat !== null).slice(0, 6), offices = listSeats().some((each) => each.role === "arbiter");
  return html`<div class="poster" aria-hidden="true"></div><main class="home">
    <div class="row"><h1 class="grow">${t("home_title")}</h1><${LanguageSwitch} language=${language} onChoose=${setLanguage} /></div>
    <p class="ask">${t("home_lead")}</p>
    <div class="grid2"><button class="call tall" onClick=${() => go("/host")}><b>${t("home_host")}</b><small>${t("home_host_small")}</small></button>
      <button class="tall" onClick=${() => go("/join")}><b>${t("home_join")}</b><small>${t("home_join_small")}</small></button></div>
    ${mine.length > 0 && html`<section><h2 class="grp">${t("home_mine")}</h2><ul class="list">
      ${mine.map((each) => html`<li><a class="btn wide" href=${`/play#${each.match}/${each.seat}`}><b>${title(each.game)}</b></a></li>`)}</ul></section>`}
    ${offices && html`<section><h2 class="grp">${t("desk_title")}</h2><a class="btn wide" href="/desk"><b>${t("home_desk")}</b></a></section>`}
    <section><h2 class="grp">${t("home_watch")}</h2>
      ${tables.length === 0 ? html`<p class="note">${t("home_none")}</p><${Tap} kind="wide" onTap=${watchBots}><b>${t("home_demo")}</b><small>${t("home_demo_small")}</small><//>` : html`<ul class="list">${tables.map((each) => html`<li>
        <a class="btn wide" href=${`/table#${each.match}`}><b>${title(each.game)}</b></a></li>`)}</ul>`}</section>
    <section><h2 class="grp">${t("home_more")}</h2><ul class="list">
      <li><a class="btn wide" href="/judge"><b>${t("home_judge")}</b></a></li><li><a class="btn wide" href="/rules"><b>${t("home_rules")}</b></a></li><li><a class="btn wide" href="/verify"><b>${t("home_verify")}</b></a></li>
      <li><a class="btn wide" href="/docs">${t("home_docs")}</a></li></ul></section>
  </main>`;
}

/** Open a public table of bots and start it. @returns {Promise<string>} the match */
async function openDemo() {
  const seats = [1, 2, 3].map(() => ({ kind: "bot", level: 1 }));
  const opened = await call("POST", "/v1/matches", { body: { game: "here_to_slay", variant: "standard", seats, visibility: "public" } });
  await call("POST", `${matchPath(opened.match)}/start`, { token: opened.token, ifMatch: opened.version });
  return opened.match;
}
