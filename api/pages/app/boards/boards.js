// @ts-check
// Which file draws which game.
import * as any from "./any.js";

/** @typedef {{describeSeat: (seat: any, board: any) => string, Running: any, Table: any, Screen: any}} BoardDrawer */

/** @type {Record<string, Partial<BoardDrawer>>} */
const DRAWERS = {};

/** @param {string} game @returns {BoardDrawer} */
export const findDrawer = (game) => ({ ...any, ...DRAWERS[game] });
