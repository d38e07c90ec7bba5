// @ts-check
// The games and their cards, which stay the same while the page is open.
import { callOnce, callPages } from "../lib/api.js";
import { useEffect, useState } from "../lib/html.js";
import { language } from "../lib/words.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */

export const CARD_GAMES = ["creature_crush", "here_to_slay", "munchkin"]; // those that take card books

/** Return the card books that can be played, for a game. @param {string} game @returns {Schemas["Book"][]} */
export function useBooks(game) {
  const [books, setBooks] = useState(/** @type {Schemas["Book"][]} */ ([]));
  useEffect(() => {
    setBooks([]);
    if (CARD_GAMES.includes(game)) callPages(`/v1/games/${game}/books`).then(setBooks, () => {});
  }, [game, language()]);
  return books;
}

/** Return the games; none until they are loaded. @returns {Schemas["Game"][]} */
export function useGames() {
  const [games, setGames] = useState(/** @type {Schemas["Game"][]} */ ([]));
  useEffect(() => {
    callOnce("/v1/games").then((found) => setGames(found.items), () => setGames([]));
  }, [language()]);
  return games;
}

/** Return the styles of bots that search, for a game. @param {string} game @returns {Schemas["BotStyle"][]} */
export function useStyles(game) {
  const [styles, setStyles] = useState(/** @type {Schemas["BotStyle"][]} */ ([]));
  useEffect(() => {
    setStyles([]);
    if (game) callOnce(`/v1/games/${game}/bots`).then((found) => setStyles(found.styles), () => {});
  }, [game]);
  return styles;
}

/** Return the designs of an edition's cards by id, once loaded. @param {string | undefined} game @param {string} [edition] @returns {Record<string, any>} */
export function useCards(game, edition) {
  const [cards, setCards] = useState(/** @type {Record<string, any>} */ ({}));
  useEffect(() => {
    if (!game) return;
    callOnce(`/v1/games/${game}/cards${edition ? `?edition=${edition}` : ""}`).then(
      (found) => setCards(Object.fromEntries(found.items.map((/** @type {any} */ card) => [card.id, card]))),
      () => setCards({}),
    );
  }, [game, edition, language()]);
  return cards;
}
