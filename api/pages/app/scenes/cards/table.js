// @ts-check
// A table of cards as the API reads it: cells to CSV, sentences to cells and back, and the calls that take it.
import { drawKey, readValue, writeText } from "../../lib/device.js";
import { makeHeaders, readRefusal } from "../../lib/api.js";
import { language } from "../../lib/words.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {Record<string, string>} Cells a card, by the names of the columns */
/** @typedef {{head: Cells, cards: Cells[]}} Draft what was entered for a game */

export const TEXTS_OF_A_CARD = [1, 2, 3];
const MEDIA = /** @type {Record<string, string>} */ ({ csv: "text/csv", ods: "application/vnd.oasis.opendocument.spreadsheet", xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", yaml: "application/yaml", yml: "application/yaml" });
export const KEPT = "referee.cards.";
const ALONE = ["no", "nein", "nothing"], ABOVE = ["book", "title", "title_de", "extends", "language"];

/** @param {string} game */
export const gamePath = (game) => `/v1/games/${encodeURIComponent(game)}`;

/** @param {string} game @returns {Draft} */
export const readDraft = (game) => readValue(KEPT + game, { head: { book: "my_cards", title: "My cards", title_de: "Meine Karten", extends: "printed", language: language() }, cards: [] });

/** @param {string} game @param {Draft} draft */
export const writeDraft = (game, draft) => writeText(KEPT + game, JSON.stringify(draft));

/** Write a table: what stands above the cards, the names of the columns, a row for each card. @param {string} game @param {Cells} head @param {Cells[]} cards */
export function writeCsv(game, head, cards) {
  const columns = [...new Set(["name", "kind", ...cards.flatMap((card) => Object.keys(card).filter((name) => card[name]))])];
  const rows = [["game", game], ...ABOVE.map((name) => [name, head[name] ?? ""]), columns, ...cards.map((card) => columns.map((name) => card[name] ?? ""))];
  return rows.map((row) => row.map((cell) => (/[",\n\r;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")).join("\r\n") + "\r\n";
}

/** What stands above the cards of a loaded table, under its own words. @param {Cells} head @returns {Cells} */
export const normalizeHead = (head) => ({ ...head, ...(head.extends ? { extends: ALONE.includes(head.extends.toLowerCase()) ? "no" : "printed" } : {}),
  ...(head.language ? { language: head.language.toLowerCase().startsWith("d") || head.language.toLowerCase() === "german" ? "de" : "en" } : {}) });

/** Cells with kind, words and places under their own names, however they were written. @param {Schemas["CardForm"]} form @param {Cells} cells @returns {Cells} */
export function normalizeCells(form, cells) {
  /** @param {Schemas["CardChoice"][]} choices @param {string} written */
  const find = (choices, written) => choices.find((each) => [each.name, ...Object.values(each.label)].some((text) => text.toLowerCase() === written.toLowerCase()))?.name ?? written;
  return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, name === "kind" ? find(form.kinds, cell) : name.startsWith("when_") ? find(form.places, cell) : find(form.columns.find((each) => each.name === name && each.form === "word")?.words ?? [], cell)]));
}

/** A card of another kind: without the cells that this kind does not have. @param {Schemas["CardForm"]} form @param {Cells} cells @param {string} kind @returns {Cells} */
export function changeKind(form, cells, kind) {
  const places = form.places.filter((each) => each.kinds.includes(kind)).map((each) => each.name);
  const changed = Object.fromEntries(Object.entries({ ...cells, kind }).filter(([name]) => form.columns.every((each) => each.name !== name || each.kinds.includes(kind))));
  for (const n of TEXTS_OF_A_CARD) {
    const sentence = findSentence(form, changed[`text_${n}`] ?? ""), isOdd = sentence && !((!sentence.kinds.length || sentence.kinds.includes(kind)) && sentence.places.some((each) => places.includes(each)));
    if (isOdd || !places.length) for (const name of ["text", "blanks", "german"]) delete changed[`${name}_${n}`];
    if (isOdd || !places.includes(changed[`when_${n}`] ?? "")) delete changed[`when_${n}`];
  }
  return changed;
}

/** How many cards there are of each part that a box of its own needs. @param {Schemas["CardForm"]} form @param {Cells[]} cards */
export const countBox = (form, cards) => form.box.map((part) => ({ ...part, count: cards.filter((each) => part.kinds.includes(each.kind ?? "")).reduce((sum, each) => sum + (part.designs ? 1 : Math.max(1, Number(each.copies) || 1)), 0) }));

/** Have a table checked. @param {string} game @param {string | Blob} table @param {string} [ending] @returns {Promise<Schemas["CheckedTable"]>} */
export async function checkTable(game, table, ending = "csv") {
  const answer = await fetch(`${gamePath(game)}/card-tables`, { method: "POST", headers: { ...makeHeaders(), "Content-Type": MEDIA[ending] ?? "text/plain" }, body: table });
  if (!answer.ok) throw await readRefusal(answer);
  return answer.json();
}

/** Publish a book; whether it is new, and its edition. @param {string} game @param {string} book @param {string} token */
export async function publishBook(game, book, token) {
  const headers = { ...makeHeaders(token), "Content-Type": "application/yaml", "Idempotency-Key": drawKey() };
  const answer = await fetch(`${gamePath(game)}/books`, { method: "POST", headers, body: book });
  if (!answer.ok) throw await readRefusal(answer);
  return { isNew: answer.status === 201, edition: (await answer.json()).edition };
}

/** The values in the blanks of a text; without names they stand in the order of the sentence as it is written. @param {Schemas["CardSentence"] | undefined} sentence @param {string} written @param {string} text @returns {Cells} */
export function readBlanks(sentence, written, text) {
  const open = (sentence?.blanks ?? []).map((blank) => blank.name).sort((one, other) => text.indexOf(`{${one}}`) - text.indexOf(`{${other}}`)), found = /** @type {Cells} */ ({});
  for (const part of written.split(";").map((each) => each.trim()).filter(Boolean)) {
    const named = part.match(/^(\w+)\s*=\s*(.*)$/), name = named?.[1] ?? open.find((each) => !(each in found));
    if (name) found[name] = named?.[2] ?? part;
  }
  return found;
}

/** @param {Cells} values */
export const writeBlanks = (values) => Object.entries(values).filter(([, value]) => value !== "").map(([name, value]) => `${name}=${value}`).join("; ");

/** The sentence of the catalog that a cell holds with its blanks open. @param {Schemas["CardForm"]} form @param {string} written */
export const findSentence = (form, written) => form.sentences.find((each) => Object.values(each.text).includes(written));

/** @param {BlobPart} content @param {string} type @param {string} name */
export function saveFile(content, type, name) {
  const address = URL.createObjectURL(new Blob([content], { type })), link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

