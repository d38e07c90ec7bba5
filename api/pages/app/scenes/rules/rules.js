// @ts-check
// The rulebook: a search over all clauses and cards of the games, in both languages, and what tests prove of a clause.
import { callOnce } from "../../lib/api.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { Face, LanguageSwitch, Toggle } from "../../parts/basic.js";
import { useGames } from "../../parts/games.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {{clauses: any[], cards: any[]}} Book */

const MOST = 40; // results that are shown

/** @param {{hash: string, go: (address: string) => void, language: string, setLanguage: (language: "de" | "en") => void}} props `hash` is game/clause */
export default function Rules({ hash, go, language, setLanguage }) {
  const [name = "", clause = ""] = hash.split("/"), games = useGames();
  const [search, setSearch] = useState("");
  const game = name || games[0]?.name || "", book = useBook(game);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  /** @param {any} thing */
  const isFound = (thing) => words.every((word) => describe(thing).includes(word));
  const clauses = book ? book.clauses.filter(isFound) : [], cards = book && words.length > 0 ? book.cards.filter(isFound) : [];
  return html`<main class="home"><div class="row"><h1 class="grow">${t("rules_title")}</h1><${LanguageSwitch} language=${language} onChoose=${setLanguage} /></div>
    <div class="row wrap">${games.map((each) => html`<${Toggle} key=${each.name} on=${each.name === game} onClick=${() => go(`/rules#${each.name}`)}>${say(each.title)}<//>`)}</div>
    ${clause && html`<${ClauseInFull} game=${game} clause=${clause} />`}
    <label>${t("rules_search")}<input type="search" value=${search} onInput=${(/** @type {any} */ event) => setSearch(event.target.value)} /></label>
    <p class="note" role="status">${book ? t("rules_found", { n: clauses.length + cards.length }) : t("loading")}</p>
    <ul class="list">${cards.slice(0, MOST).map((card) => html`<li class="row found" key=${card.id}><${Face} design=${{ ...card, name: say(card.name) }} game=${game} />
        <p><b>${say(card.name)}</b><br />${say(card.text)}</p></li>`)}
      ${clauses.slice(0, MOST).map((each) => html`<li key=${each.id}><p class="cite"><a class="clause" href=${`/rules#${game}/${each.id}`}>${each.id}</a> ${say(each.says)}</p></li>`)}</ul>
    ${clauses.length > MOST && html`<p class="note">${t("rules_more", { n: clauses.length - MOST })}</p>`}
    <a class="btn wide" href=${`/cards#${game}`}>${t("cards_title")}</a><a class="btn wide" href="/">${t("back")}</a>
  </main>`;
}

/** Return what a search looks into: number, name and text in both languages. @param {any} thing */
const describe = (thing) => [thing.id, thing.says, thing.name, thing.text].map((part) => (typeof part === "string" ? part : `${part?.de ?? ""} ${part?.en ?? ""}`)).join(" ").toLowerCase();

/** Load clauses and cards of a game, in both languages. @param {string} game @returns {Book | null} */
function useBook(game) {
  const [book, setBook] = useState(/** @type {{game: string, book: Book} | null} */ (null));
  useEffect(() => {
    if (!game) return;
    Promise.all([callOnce(`/v1/games/${encodeURIComponent(game)}/clauses?lang=all`), callOnce(`/v1/games/${encodeURIComponent(game)}/cards?lang=all`)]).then(
      ([clauses, cards]) => setBook({ game, book: { clauses: clauses.items, cards: cards.items } }), () => setBook({ game, book: { clauses: [], cards: [] } }));
  }, [game]);
  return book?.game === game ? book.book : null;
}

/** A clause with its reading, its reason and the tests that prove it. @param {{game: string, clause: string}} props */
function ClauseInFull({ game, clause }) {
  const [found, setFound] = useState(/** @type {Schemas["Clause"] | null} */ (null));
  useEffect(() => {
    callOnce(`/v1/games/${encodeURIComponent(game)}/clauses/${encodeURIComponent(clause)}?lang=all`).then(setFound, () => setFound(null));
  }, [game, clause]);
  if (!found || found.id !== clause) return null;
  return html`<section class="ref" role="status"><h2><span class="clause">${found.id}</span> ${say(found.chapter)}</h2><p class="ask">${say(found.says)}</p>
    ${found.why && html`<p>${say(found.why)}</p>`}
    <p class="note">${t(found.tests === 1 ? "rules_test" : "rules_tests", { n: found.tests ?? 0 })}</p></section>`;
}
