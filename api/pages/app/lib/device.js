// @ts-check
// What this device remembers: language, name, and the seats it may sit on. Tokens stay in this browser.

/** @typedef {{match: string, role: string, seat: number | null, token: string, game: string, at: number, chain?: string, secret?: string}} SavedSeat `chain`: the end of the chain that the seat adds to the draws; `secret`: that of the key with which it signs */

const SEATS = "referee.seats", LANG = "referee.lang", NAME = "referee.name";

/** @type {Map<string, string>} kept for browsers that store nothing, such as in a private window */
const unstored = new Map();

/** @param {string} key */
export function readText(key) {
  try {
    return localStorage.getItem(key) ?? unstored.get(key) ?? null;
  } catch {
    return unstored.get(key) ?? null;
  }
}

/** @param {string} key @param {string | null} text */
export function writeText(key, text) {
  if (text === null) unstored.delete(key);
  else unstored.set(key, text);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // the browser stores nothing: it is kept while the page is open
  }
}

/** Return whether this browser stores what the page remembers. */
export function canStore() {
  try {
    localStorage.setItem("referee.try", "1");
    localStorage.removeItem("referee.try");
    return true;
  } catch {
    return false;
  }
}

/** @param {string} key @param {any} otherwise */
export function readValue(key, otherwise) {
  const text = readText(key);
  if (text === null) return otherwise;
  try {
    return JSON.parse(text);
  } catch {
    return otherwise; // damaged by hand or by another version of the page
  }
}

/** @returns {SavedSeat[]} the newest first */
export function listSeats() {
  const found = readValue(SEATS, []);
  return Array.isArray(found) ? found.filter((each) => typeof each?.match === "string" && typeof each.token === "string") : [];
}

/** Remember a token of a match. Each role in a match is saved once. @param {SavedSeat} saved */
export function saveSeat(saved) {
  const others = listSeats().filter((each) => each.match !== saved.match || each.role !== saved.role);
  writeText(SEATS, JSON.stringify([saved, ...others].slice(0, 60)));
}

/** @param {string} match @param {string} role */
export function forgetSeat(match, role) {
  writeText(SEATS, JSON.stringify(listSeats().filter((each) => each.match !== match || each.role !== role)));
}

/** @param {string} match @param {string} role @returns {SavedSeat | undefined} */
export function findSeat(match, role) {
  return listSeats().find((each) => each.match === match && each.role === role);
}

/** @returns {"de" | "en"} */
export function readLanguage() {
  const kept = readText(LANG);
  if (kept === "de" || kept === "en") return kept;
  return (navigator.language || "en").toLowerCase().startsWith("de") ? "de" : "en";
}

/** @param {"de" | "en"} language */
export const writeLanguage = (language) => writeText(LANG, language);
export const readName = () => readText(NAME) ?? "";
/** @param {string} name */
export const writeName = (name) => writeText(NAME, name);

/** Return 128 random bits as text. `crypto.randomUUID` is missing where a phone loads the page over plain http. */
export function drawKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
