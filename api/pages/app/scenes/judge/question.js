// @ts-check
// The question as the document that the API and `referee judge` take: sent, saved as a file, and opened again.
import { makeHeaders, readRefusal } from "../../lib/api.js";
import { SEAT_LISTS } from "./written.js";

/** @typedef {{seat: number, says: string, legal: boolean | null, clause: string, saw: Record<string, any>}} Statement */
/** @typedef {{seat: number | "chance", move: any}} Asked */
/** @typedef {{position: any, names: string[], asked: Asked | null, isDisputed: boolean, claim: string, clause: string, saw: Record<string, any>, says: Statement[],
 *   unknown: string[], readings: Record<string, any>, precedents: any[]}} Question */

export const CLAIMS = ["illegal_move", "missed_effect", "wrong_count", "other"];

/** @param {any} position @returns {Question} */
export const makeQuestion = (position) => ({ position, names: [], asked: null, isDisputed: false, claim: "illegal_move", clause: "", saw: {}, says: [], unknown: [], readings: {}, precedents: [] });

/** @param {any} position */
export const countSeats = (position) => position[SEAT_LISTS.find((name) => Array.isArray(position[name])) ?? ""]?.length ?? 2;

/** Return what a player says, empty if it is nothing yet. @param {Question} question @param {number} seat @returns {Statement} */
export const findStatement = (question, seat) => question.says.find((each) => each.seat === seat) ?? { seat, says: "", legal: null, clause: "", saw: {} };

/** @param {Record<string, any>} members those that say something */
const keepSaid = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined && value !== "" && !(typeof value === "object" && Object.keys(value).length === 0)));

/** Return the body of a request for a ruling. @param {Question} question @returns {Record<string, any>} */
export function writeBody({ position, names, asked, isDisputed, claim, clause, saw, says, unknown, readings, precedents }) {
  const said = says.map((each) => keepSaid(each)).filter((each) => Object.keys(each).length > 1), isOpen = unknown.length > 0;
  const dispute = isDisputed ? { claim, clause, saw, says: said } : isOpen ? { claim: "illegal_move" } : {};
  return { position, ...asked, ...keepSaid({ names: names.some(Boolean) ? Array.from(names, (name) => name ?? "") : [], ...dispute, unknown, readings, precedents }) };
}

/** Whether something out of a file is a house ruling with readings. @param {any} each */
const isPrecedent = (each) => Array.isArray(each?.readings) && each.readings.length > 0 && each.readings.every((/** @type {any} */ reading) => typeof reading?.clause === "string");

/** Return a statement out of a file, without what has another type. @param {any} each @returns {Statement} */
const readStatement = (each) => ({ seat: each.seat, says: orElse(each.says, ""), legal: orElse(each.legal, true) === each.legal ? each.legal : null, clause: orElse(each.clause, ""), saw: orElse(each.saw, {}) });

/** @param {any} value @param {any} otherwise */
const orElse = (value, otherwise) => (typeof value === typeof otherwise && value !== null && Array.isArray(value) === Array.isArray(otherwise) ? value : otherwise);

/** Have a file read by the referee, YAML or JSON, in names of the program or in words; it says what is wrong with it. @param {File} file */
export async function openFile(file) {
  const answer = await fetch("/v1/question-files", { method: "POST", headers: { ...makeHeaders(), "Content-Type": "application/yaml" }, body: file });
  if (!answer.ok) throw await readRefusal(answer);
  return readQuestion((await answer.json()).question);
}

/** Return the game and the question of a file. @param {any} data */
function readQuestion(data) {
  const { game, variant, edition, settings } = data, position = { ...keepSaid({ variant, edition, settings }), ...data.position };
  const fresh = makeQuestion(position), seat = Number.isInteger(data.seat) || data.seat === "chance" ? data.seat : null;
  const says = orElse(data.says, fresh.says).filter((/** @type {any} */ each) => Number.isInteger(each?.seat));
  const question = {
    ...fresh, names: orElse(data.names, fresh.names).map((/** @type {any} */ each) => (typeof each === "string" ? each : "")), asked: seat === null || typeof data.move?.type !== "string" ? null : { seat, move: data.move },
    isDisputed: Boolean(data.claim || data.saw || says.length), claim: CLAIMS.includes(data.claim) ? data.claim : fresh.claim, clause: orElse(data.clause, ""), saw: orElse(data.saw, {}),
    says: says.map(readStatement), unknown: orElse(data.unknown, []).filter((/** @type {any} */ each) => typeof each === "string"), readings: orElse(data.readings, {}), precedents: orElse(data.precedents, []).filter(isPrecedent),
  };
  const isMoveLost = question.asked === null && (data.move !== undefined || data.seat !== undefined);
  return { at: Date.now(), game: /** @type {string} */ (game), variant: orElse(position.variant, ""), edition: orElse(position.edition, ""), isMoveLost, question };
}
