// @ts-check
// Which file draws which game, and what is true of the boards of all: who has won, and that nobody is on turn then.
import { joinWords, nameSeat, t } from "../lib/words.js";
import * as any from "./any.js";
import * as creatureCrush from "./creature_crush.js";
import * as hereToSlay from "./here_to_slay.js";
import * as monsterCombat from "./monster_combat.js";
import * as munchkin from "./munchkin.js";
import * as shyMonsters from "./shy_monsters.js";

/** @typedef {{describeSeat: (seat: any, board: any) => string, Running: any, Table: any, Screen: any, foldsSums?: boolean, takesPanel?: boolean, Places?: any}} BoardDrawer */

/** @type {Record<string, Partial<BoardDrawer>>} */
const DRAWERS = { here_to_slay: hereToSlay, monster_combat: monsterCombat, munchkin, creature_crush: creatureCrush, shy_monsters: shyMonsters };

/** @param {string} game @returns {BoardDrawer} */
export const findDrawer = (game) => (game in DRAWERS ? { ...any, takesPanel: false, ...DRAWERS[game] } : any);

/** Return the board of a view; after the end nobody is on turn. @param {import("../contract").components["schemas"]["BoardView"]} view */
export const readBoard = (view) => /** @type {any} */ (view.outcome ? { ...view.board, turn: null } : view.board);

/** Say who has won. Without a winner all who share the one place drew, except where they play together and lose. @param {import("../contract").components["schemas"]["Outcome"]} outcome @param {string | undefined} variant @param {import("../lib/words.js").Names} names */
export const announceWinners = ({ winners, placement }, variant, names) => (winners.length === 0 ? t(placement.length === 1 && variant !== "V2" ? "drawn" : "nobody_wins")
  : t(winners.length > 1 ? "win" : "wins", { names: joinWords(winners.map((seat) => nameSeat(seat, names))) }));
