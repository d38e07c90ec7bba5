// @ts-check
// JSON in its one proper form: keys in order of their code points, no spaces, whole numbers that all readers read alike.

/** @param {string} left @param {string} right */
function compareCodePoints(left, right) {
  const a = Array.from(left), b = Array.from(right), shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++)
    if (a[at] !== b[at]) return /** @type {number} */ (a[at]?.codePointAt(0)) - /** @type {number} */ (b[at]?.codePointAt(0));
  return a.length - b.length;
}

/** Return data as canonical JSON, or raise. @param {any} data @returns {string} */
export function write(data) {
  if (data === null || typeof data === "boolean") return String(data);
  if (typeof data === "number") {
    if (!Number.isSafeInteger(data)) throw new RangeError("no whole number");
    return JSON.stringify(data);
  }
  if (typeof data === "string") {
    if (/\p{Surrogate}/u.test(data)) throw new RangeError("half a character");
    return JSON.stringify(data);
  }
  if (Array.isArray(data)) return `[${data.map(write).join(",")}]`;
  return `{${Object.keys(data).sort(compareCodePoints).map((key) => `${write(key)}:${write(data[key])}`).join(",")}}`;
}

/** @param {any} data */
export const isObject = (data) => typeof data === "object" && data !== null && !Array.isArray(data);

/** Return the JSON object of a canonical text, or an empty one if it is none. @param {string} text @returns {Record<string, any>} */
export function parseObject(text) {
  try {
    const found = JSON.parse(text);
    return isObject(found) && write(found) === text ? found : {};
  } catch {
    return {}; // no JSON, or none in its proper form
  }
}

/** @type {Record<string, (value: any) => boolean>} */
const ENVELOPE = {
  match: isText, version: Number.isInteger, at: Number.isInteger, seat: Number.isInteger, actor: isText, rules: isText, edition: isText,
  clauses: (value) => Array.isArray(value) && value.every(isText), move: (value) => value === null || isObject(value),
  events: Array.isArray, commitments: (value) => isObject(value) && Object.values(value).every(isText),
};

/** @param {any} value */
function isText(value) {
  return typeof value === "string";
}

/** Return the envelope of a text, or null if it is none. @param {string} text @returns {Record<string, any> | null} */
export function parseEnvelope(text) {
  const data = parseObject(text), fields = Object.keys(ENVELOPE);
  return hasFields(data, fields) && fields.every((name) => ENVELOPE[name]?.(data[name])) ? data : null;
}

/** Return whether an object has these fields and no others. @param {any} data @param {string[]} fields */
export const hasFields = (data, fields) => Object.keys(data).length === fields.length && fields.every((name) => Object.hasOwn(data, name));

/** Yield all objects within JSON data. @param {any} data @returns {Generator<Record<string, any>>} */
export function* iterateObjects(data) {
  const waiting = [data];
  while (waiting.length) {
    const each = waiting.pop();
    if (typeof each !== "object" || each === null) continue;
    if (!Array.isArray(each)) yield each;
    for (const inner of Object.values(each)) waiting.push(inner);
  }
}
