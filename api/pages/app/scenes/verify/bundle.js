// @ts-check
// A bundle as a file: lines of canonical JSON, packed or not. Format `referee.bundle/1`, the only one there is.
import { fromBase64, Unfit } from "./bytes.js";
import { hasFields, isObject, parseObject } from "./canonical.js";

/** @typedef {Record<string, any>} Line */

export const FORMAT = "referee.bundle/1";
/** @type {Record<string, Record<string, string>>} the kinds of line, in their order, each with the types of its fields */
const FIELDS = {
  header: { format: "text", match: "text", origin: "text", eyes: "text", game: "text", variant: "text", edition: "text",
    ruleset: "text", status: "text", program: "text", size: "number", made_ms: "number" },
  key: { public: "bytes", since_ms: "number", statement: "text" },
  former: { store: "text", public: "bytes", since_ms: "number", statement: "text" },
  book: { name: "text", text: "text" },
  entry: { version: "number", envelope: "text", root: "bytes", parts: "parts" },
  secret: { generation: "number", secret: "bytes" },
  draw: { version: "number", generation: "number", purpose: "text", below: "numbers", gave: "numbers", pile: "texts" },
  checkpoint: { note: "text" },
  published: { leaf: "text", index: "number", path: "hashes", note: "text" },
  stamp: { note: "text", response: "bytes" },
  luggage: { text: "text" },
  end: { lines: "number" },
};
const ORDER = Object.keys(FIELDS);
/** @type {Record<string, string>} */
const PART = { who: "text", salt: "bytes", part: "text" };
/** @type {Record<string, string>} */
const LISTS = { numbers: "number", texts: "text", hashes: "bytes" };
const LONGEST_LINE = 1 << 20, MOST_LINES = 200_000, MOST_BYTES = 1 << 26, MOST_RECEIPTS = 1 << 22, NEWLINE = 10;
/** @type {Record<string, number>} lines of which each is compared with others */
const MOST_OF_KIND = { key: 200, former: 200, checkpoint: 200, published: 100, stamp: 100, secret: 1000 };

/** Return the bytes of a file that may be gone by now, or be a folder. @param {Blob} file */
const readBytes = (file) => file.arrayBuffer().catch(() => {
  throw new Unfit("cannot_read");
});

/** Return the bytes of a file, unpacked. @param {Blob} file */
export async function unpackFile(file) {
  const start = new Uint8Array(await readBytes(file.slice(0, 2))), isPacked = start[0] === 0x1f && start[1] === 0x8b;
  if (isPacked && typeof DecompressionStream === "undefined") throw new Unfit("cannot_unpack");
  const stream = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = stream.getReader(), pieces = [];
  try {
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MOST_BYTES) throw new Unfit("too_long");
      pieces.push(value);
    }
  } catch (failure) {
    throw failure instanceof Unfit ? failure : new Unfit(isPacked ? "damaged" : "cannot_read");
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Return the lines of a bundle by kind, or raise. @param {Uint8Array} bytes @returns {Record<string, Line[]>} */
export function readBundle(bytes) {
  /** @type {Record<string, Line[]>} */
  const found = Object.fromEntries(ORDER.map((kind) => [kind, []]));
  if (bytes.length === 0) throw new Unfit("empty");
  let at = 0, number = 0;
  for (let start = 0; start < bytes.length; ) {
    const stop = bytes.indexOf(NEWLINE, start), end = stop < 0 ? bytes.length : stop, line = ++number;
    if (found.end?.length) throw new Unfit("after_end", { line });
    if (number > MOST_LINES || end - start >= LONGEST_LINE) throw new Unfit("too_long", { line });
    const { kind, fields } = readLine(bytes.subarray(start, end), line), place = ORDER.indexOf(kind), same = found[kind] ?? [];
    const isSecond = (kind === "header" || kind === "book") && same.length > 0;
    if (place < at || (number === 1) !== (kind === "header") || isSecond) throw new Unfit("line_out_of_place", { line });
    if (kind === "end" && fields.lines !== number - 1) throw new Unfit("lines_missing", { line, n: fields.lines });
    at = place;
    same.push(fields);
    if (same.length > (MOST_OF_KIND[kind] ?? MOST_LINES)) throw new Unfit("too_long", { line });
    start = end + 1;
  }
  if (!found.end?.length) throw new Unfit("cut");
  return found;
}

/** Return the kind and the fields of a line, or raise. @param {Uint8Array} raw @param {number} number @returns {{kind: string, fields: Line}} */
function readLine(raw, number) {
  let text = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    throw new Unfit("not_a_line", { line: number });
  }
  const { kind, ...data } = parseObject(text), types = typeof kind === "string" && Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : undefined;
  if (!types) throw new Unfit("not_a_line", { line: number });
  if ((data.format ?? FORMAT) !== FORMAT) throw new Unfit("other_format", { line: number, format: String(data.format).slice(0, 40) });
  if (!hasFields(data, Object.keys(types))) throw new Unfit("other_fields", { line: number });
  try {
    return { kind, fields: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, decodeValue(type, data[name])])) };
  } catch (failure) {
    throw failure instanceof Unfit ? new Unfit(failure.why, { ...failure.values, line: number }) : failure;
  }
}

/** Return a field's value, or raise. @param {string} type @param {any} data @returns {any} */
function decodeValue(type, data) {
  const each = LISTS[type];
  if ((type === "text" && typeof data === "string") || (type === "number" && Number.isSafeInteger(data) && data >= 0)) return data;
  if (type === "bytes" && typeof data === "string") return fromBase64(data);
  if (each && Array.isArray(data)) return data.map((one) => decodeValue(each, one));
  if (type === "parts" && Array.isArray(data) && data.every((one) => isObject(one) && hasFields(one, Object.keys(PART))))
    return data.map((one) => Object.fromEntries(Object.entries(PART).map(([name, inner]) => [name, decodeValue(inner, one[name])])));
  throw new Unfit("field");
}

const DASH = "\u2014", NOTE = new RegExp(`[^\\n]+\\n[0-9]+\\n(?:[^\\n]+\\n){1,20}\\n(?:${DASH} [^\\n]+\\n){1,20}`, "g"); // no note has as many lines: without an end the search would take ages

/** Return the receipts in a file, or raise. @param {Blob} file */
export async function readReceiptFile(file) {
  if (file.size > MOST_RECEIPTS) throw new Unfit("no_receipts");
  return readReceipts(new TextDecoder().decode(await readBytes(file)));
}

/** Return the receipts in a text, or in JSON answers of a server; or raise. @param {string} given @returns {string[]} */
export function readReceipts(given) {
  let text = given;
  if (/^[{[]/.test(text)) {
    try {
      text = collectNotes(text).join("");
    } catch {
      throw new Unfit("no_receipts");
    }
  }
  const notes = text.match(NOTE) ?? [];
  if (notes.length === 0 || text.replace(NOTE, "").trim()) throw new Unfit("no_receipts");
  return notes;
}

/** @param {string} text @returns {string[]} */
function collectNotes(text) {
  /** @type {string[]} */
  const notes = [];
  const keep = (/** @type {string} */ key, /** @type {any} */ value) => {
    if ((key === "receipt" || key === "note") && typeof value === "string") notes.push(value);
    return value;
  };
  try {
    JSON.parse(text, keep);
  } catch {
    notes.length = 0;
    for (const line of text.split("\n")) if (line.trim()) JSON.parse(line, keep);
  }
  return notes;
}

