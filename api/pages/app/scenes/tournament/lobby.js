// @ts-check
// The tournaments of this device, and a form to open one.
import "./texts.js";
import { call, Refused } from "../../lib/api.js";
import { listSeats } from "../../lib/device.js";
import { html, useState } from "../../lib/html.js";
import { isTournament, saveToken } from "./following.js";
import { say, t } from "../../lib/words.js";
import { Toggle, useOnce } from "../../parts/basic.js";
import { useGames } from "../../parts/games.js";
import { ProblemSheet } from "../../parts/ruling.js";

const OF_TWO = ["round_robin", "swiss", "knockout"], OF_SEVERAL = ["groups"], MINUTES = [0, 20, 30, 45, 60, 90];

/** @param {{go: (address: string) => void}} props */
export function Lobby({ go }) {
  const games = useGames(), own = listSeats().filter((each) => isTournament(each.match)), [problem, setProblem] = useState(/** @type {any} */ (null));
  const [name, setName] = useState(""), [system, setSystem] = useState(""), [rounds, setRounds] = useState(0), [minutes, setMinutes] = useState(0);
  const [plays, setPlays] = useState("refereed"), [hostPlays, setHostPlays] = useState(false), [decks, setDecks] = useState(false);
  const [rated, setRated] = useState(false), [open, setOpen] = useState(false);
  const game = games.find((each) => each.name === name), mayBeTwo = !game || game.min_seats <= 2, systems = [...(mayBeTwo ? OF_TWO : []), ...(!game || game.max_seats > 2 ? OF_SEVERAL : [])];
  const chosen = systems.includes(system) ? system : systems[0];
  const [busy, send] = useOnce(async () => {
    const seats = chosen === "groups" && game ? { least: Math.max(3, game.min_seats), most: game.max_seats } : { least: 2, most: 2 };
    try {
      const done = await call("POST", "/v1/tournaments", { body: { game: name, system: chosen, rounds, seats, plays, host_plays: hostPlays, decks: decks ? "deposited" : "none", ...(plays === "refereed" ? { rated, visibility: rated || open ? "public" : "private" } : {}), ...(minutes ? { round_ms: minutes * 60_000 } : {}) } });
      saveToken(done.tournament, done.token, name);
      go(`/tournament#${done.tournament}`);
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      setProblem(failure.problem ?? { title: failure.message });
    }
  });
  return html`<main class="court tour"><div class="row"><h1 class="grow">${t("tour_title")}</h1><a class="btn" href="/">${t("desk_home")}</a></div>
    ${own.map((each) => html`<a class="btn wide" key=${each.match} href=${`/tournament#${each.match}`}><b>${say(games.find((found) => found.name === each.game)?.title) || each.game}</b> <small>${new Date(each.at).toLocaleDateString()}</small></a>`)}
    <form class="form" onSubmit=${send}><h2 class="grp">${t("tour_new")}</h2>
      <label>${t("tour_game")}<select required value=${name} onChange=${(/** @type {any} */ event) => setName(event.target.value)}><option value="">${t("tour_choose_game")}</option>${games.map((each) => html`<option key=${each.name} value=${each.name}>${say(each.title)}</option>`)}</select></label>
      <fieldset class="stack"><legend class="grp">${t("tour_system")}</legend>${systems.map((each) => html`<${Toggle} key=${each} on=${chosen === each} onClick=${() => setSystem(each)}>${t(`tour_system_${each}`)}<//>`)}</fieldset>
      ${chosen !== "knockout" && html`<label>${t("tour_how_many_rounds")}<input type="number" min="0" max="30" value=${rounds} onInput=${(/** @type {any} */ event) => setRounds(Number(event.target.value))} /></label>`}
      <label>${t("tour_round_time")}<select value=${minutes} onChange=${(/** @type {any} */ event) => setMinutes(Number(event.target.value))}>${MINUTES.map((each) => html`<option key=${each} value=${each}>${each ? t("tour_n_minutes", { n: each }) : t("tour_no_limit")}</option>`)}</select></label>
      <fieldset class="stack"><legend class="grp">${t("tour_plays")}</legend>${["refereed", "reported"].map((each) => html`<${Toggle} key=${each} on=${plays === each} onClick=${() => setPlays(each)}><b>${t(`tour_plays_${each}`)}</b><small>${t(`tour_plays_${each}_small`)}</small><//>`)}</fieldset>
      ${plays === "refereed" && html`<${Toggle} on=${rated} onClick=${() => setRated(!rated)}><b>${t("tour_rated")}</b><small>${t("tour_rated_small")}</small><//>
        ${!rated && html`<${Toggle} on=${open} onClick=${() => setOpen(!open)}><b>${t("tour_public")}</b><small>${t("tour_public_small")}</small><//>`}`}
      <${Toggle} on=${decks} onClick=${() => setDecks(!decks)}>${t("tour_decks")}<//>
      <${Toggle} on=${hostPlays} onClick=${() => setHostPlays(!hostPlays)}>${t("tour_host_plays")}<//>
      <button class="wide tall call" disabled=${busy || !name}><b>${t("tour_open_now")}</b></button></form>
  </main>${problem && html`<${ProblemSheet} problem=${problem} onClose=${() => setProblem(null)} />`}`;
}
