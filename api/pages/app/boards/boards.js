// @ts-check
// Which file draws which game.
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
