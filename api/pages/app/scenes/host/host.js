// @ts-check
// Open a table: real cards or phones, which game, how many; the rest has defaults.
import { call, Refused } from "../../lib/api.js";
import { readName, saveSeat, writeName } from "../../lib/device.js";
import { html, useState } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { Die, Face, LanguageSwitch, Svg, Toggle, useOnce } from "../../parts/basic.js";
import { CARD_GAMES, useBooks, useCards, useGames, useStyles } from "../../parts/games.js";
import { ProblemSheet } from "../../parts/ruling.js";
import { joinMatch } from "../join/join.js";
import { startMatch } from "../seat/lobby.js";

const EMBLEM_CARDS = /** @type {Record<string, string>} */ ({ here_to_slay: "heavy_bear", munchkin: "doctor_finkelstein",
  creature_crush: "spark_imp", monster_combat: "slime", shy_monsters: "vampire_bat", mau_mau: "hearts_jack" });
const PHONES = `<svg viewBox="0 0 48 48" width="56" fill="none" stroke="currentColor" stroke-width="2.6" aria-hidden="true"><rect x="6" y="4" width="18" height="32" rx="4"/><rect x="24" y="12" width="18" height="32" rx="4" fill="var(--sheet)"/><path d="M13 31h4M31 39h4"/></svg>`;
const CLOCKS = [null, 30_000, 60_000, 120_000], WINDOWS = [null, 8_000, 15_000, 30_000]; // milliseconds

/** @param {{hash: string, go: (address: string) => void, language: string, setLanguage: (language: "de" | "en") => void}} props the hash is `bots` for one person alone, and then perhaps a game and an edition of its cards: `bots/munchkin/box@…` */
export default function Host({ hash, go, language, setLanguage }) {
  const games = useGames(), [mode, asked = "", wanted = ""] = hash.split("/");
  const [isReal, setReal] = useState(false);
  const [called, setCalled] = useState(readName());
  const [name, setGame] = useState(asked);
  const [cards, setCards] = useState(wanted); // an edition; empty: the game's own
  const [many, setMany] = useState(mode === "bots" ? 1 : 2);
  const [form, setForm] = useState("");
  const [bots, setBots] = useState(0);
  const [level, setLevel] = useState(1);
  const [style, setStyle] = useState("");
  const [clock, setClock] = useState(/** @type {number | null} */ (null));
  const [pause, setPause] = useState(/** @type {number | null | undefined} */ (undefined));
  const [isPublic, setPublic] = useState(false);
  const [hints, setHints] = useState(false);
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const game = games.find((each) => each.name === name);
  const books = useBooks(name), edition = books.find((each) => each.edition === cards)?.edition;
  const styles = useStyles(level > 1 ? name : "");
  const counts = game ? range(1, game.max_seats) : [];
  const people = Math.min(many, game?.max_seats ?? many), isAlone = people === 1;
  const variant = game?.variants.includes(form) ? form : game?.variants[0];
  const reacting = pause === undefined ? (isReal ? WINDOWS[2] ?? null : null) : pause;
  const fewest = Math.max(0, (game?.min_seats ?? 0) - people), robots = Math.min(Math.max(bots, fewest), (game?.max_seats ?? people) - people);

  const [busy, open] = useOnce(async () => {
    if (!game) return;
    writeName(called.trim());
    try {
      const seats = range(1, people + robots).map((number) => (number > people ? { kind: "bot", level, ...(styles.some(({ id }) => id === style) ? { style } : {}) } : { kind: "human" }));
      const body = { game: name, variant, seats, ...(edition ? { edition } : {}), ...(isReal ? { chance: "table" } : {}), clocks: { move_ms: clock, window_ms: reacting },
        visibility: isPublic ? "public" : "private", hints };
      const opened = await call("POST", "/v1/matches", { body });
      saveSeat({ match: opened.match, role: "host", seat: null, token: opened.token, game: name, at: Date.now() });
      const joined = await joinMatch(opened.invitations[0].code, called.trim());
      if (isAlone) await startMatch(opened.match, opened.token); // there is nobody to wait for
      go(`/play#${opened.match}/${joined.seats[0]}`);
    } catch (failure) {
      setProblem(failure instanceof Refused ? failure.problem : { title: t("went_wrong"), detail: t("try_again") });
    }
  });

  return html`<main class="home"><div class="row"><h1 class="grow">${t("host_title")}</h1><${LanguageSwitch} language=${language} onChoose=${setLanguage} /></div>
    <div class="grid2"><${Toggle} on=${!isReal} onClick=${() => setReal(false)}><${Svg} svg=${PHONES} /><b>${t("host_screens")}</b><small>${t("host_screens_small")}</small><//>
      <${Toggle} on=${isReal} onClick=${() => setReal(true)}><span class="pair"><${Die} value=${5} /><${Die} value=${2} /></span><b>${t("host_real")}</b><small>${t("host_real_small")}</small><//></div>
    <section><h2 class="grp"><span class="step">1</span>${t("host_game")}</h2><div class="games">
      ${games.map((each) => html`<${Toggle} on=${each.name === name} onClick=${() => setGame(each.name)}><${Emblem} game=${each.name} /><b>${say(each.title)}</b><//>`)}</div>${game?.cards.told && html`<p class="note">${say(game.cards.told)}</p>`}
      <div class="stack">${books.length > 0 && html`<h3 class="grp">${t("host_cards")}</h3><div class="row wrap" role="group" aria-label=${t("host_cards")}><${Toggle} on=${!edition} onClick=${() => setCards("")}>${t("host_cards_own")}<//>
        ${books.map((each) => html`<${Toggle} key=${each.edition} on=${each.edition === edition} onClick=${() => setCards(each.edition)}><b>${say(each.title)}</b>${books.some((other) => other !== each && say(other.title) === say(each.title)) && html`<small>${each.book}</small>`}<small>${t(each.extends ? "host_cards_more" : "host_cards_alone", { n: each.cards.length })}</small><//>`)}</div>`}
      ${CARD_GAMES.includes(name) && html`<p><a href=${`/cards#${name}`}>${t("host_cards_enter")}</a></p>`}</div></section>
    ${game && html`<section><h2 class="grp"><span class="step">2</span>${t("host_people")}</h2><div class="row wrap">
      ${counts.map((count) => html`<${Toggle} on=${count === people} onClick=${() => setMany(count)}><b class="num">${count}</b><//>`)}</div></section>
      <label>${t("host_name")}<input value=${called} maxlength="40" autocomplete="given-name" onInput=${(/** @type {any} */ event) => setCalled(event.target.value)} /></label>
      <details><summary>${t("host_more")}</summary><div class="stack">
        ${game.variants.length > 1 && html`<h3 class="grp">${t("host_form")}</h3><div class="row wrap">${game.variants.map((each) =>
          html`<${Toggle} on=${each === variant} onClick=${() => setForm(each)}>${t(`form_${each}`)}<//>`)}</div>`}
        <h3 class="grp">${t("host_bots")}</h3><div class="row wrap">${range(fewest, game.max_seats - people).map((count) =>
          html`<${Toggle} on=${count === robots} onClick=${() => setBots(count)}><b class="num">${count}</b><//>`)}</div>
        ${robots > 0 && html`<h3 class="grp">${t("host_bot_level")}</h3><div class="row wrap">${[0, 1, 2, 3].map((each) =>
          html`<${Toggle} on=${each === level} onClick=${() => setLevel(each)}>${t(`bot_level_${each}`)}<//>`)}</div>
          ${styles.length > 0 && html`<div class="row wrap">${[null, ...styles].map((each) =>
            html`<${Toggle} on=${(each?.id ?? "") === style} onClick=${() => setStyle(each?.id ?? "")}>${each ? say(each.name) : t("bot_plain")}<//>`)}</div>`}`}
        <h3 class="grp">${t("host_clock")}</h3><div class="row wrap">${CLOCKS.map((each) =>
          html`<${Toggle} on=${each === clock} onClick=${() => setClock(each)}>${each ? `${each / 1000} s` : t("host_no_clock")}<//>`)}</div>
        ${game.windows.length > 0 && html`<h3 class="grp">${t("host_window")}</h3><div class="row wrap">${WINDOWS.map((each) =>
          html`<${Toggle} on=${each === reacting} onClick=${() => setPause(each)}>${each ? `${each / 1000} s` : t("host_window_tap")}<//>`)}</div>`}
        <label class="check"><input type="checkbox" checked=${isPublic} onChange=${() => setPublic(!isPublic)} /> ${t("host_public")}</label>
        <label class="check"><input type="checkbox" checked=${hints} onChange=${() => setHints(!hints)} /> ${t("host_hints")}</label>
      </div></details>`}
    <button class="call wide tall" disabled=${!game || busy} onClick=${open}><b>${t("host_go")}</b><small>${t(isAlone ? "host_go_alone" : "host_go_small")}</small></button>
    <a class="btn wide" href="/">${t("desk_home")}</a>
  </main>${problem && html`<${ProblemSheet} problem=${problem} onClose=${() => setProblem(null)} />`}`;
}

/** @param {{game: string}} props */
function Emblem({ game }) {
  const cards = useCards(game);
  const design = cards[EMBLEM_CARDS[game] ?? ""] ?? Object.values(cards)[0];
  return html`<${Face} design=${design} game=${game} />`;
}

/** @param {number} from @param {number} to */
const range = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
