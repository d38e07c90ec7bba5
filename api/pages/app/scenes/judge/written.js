// @ts-check
// Written positions and moves as data: places in them, what a schema begins with, piles in one form, and all of it in words.
import { countCards, nameSeat, say, t } from "../../lib/words.js";

/** @typedef {Record<string, any>} Schema a JSON Schema, as `GET …/positions` gives it */
/** @typedef {(string | number)[]} Path */
/** @typedef {{game: string, cards: Record<string, any>, names: Record<string, string>, me: null, seats: number, words: {members: Record<string, any>, values: Record<string, any>}, asks: Record<string, any>}} Wording what a form says of its game */
/** @typedef {{cards: any[], count: number | null, more: boolean}} Pile `count` null: as many as are named; `more`: nobody knows how many more */

export const SEAT_LISTS = ["seats", "players"];

/** @param {Path} path */
export const toPointer = (path) => path.map((part) => `/${String(part).replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");

/** @param {string} pointer @returns {Path} */
export const parsePointer = (pointer) => pointer.split("/").slice(1).map((part) => (/^\d+$/.test(part) ? Number(part) : part.replace(/~1/g, "/").replace(/~0/g, "~")));

/** Return data with another value at a place; undefined takes the member or the item away. @param {any} data @param {Path} path @param {any} value @returns {any} */
export function setAt(data, [first, ...rest], value) {
  if (first === undefined) return value;
  const made = Array.isArray(data) ? [...data] : { ...data };
  if (rest.length > 0 || value !== undefined) made[first] = setAt(made[first], rest, value);
  else if (Array.isArray(made)) made.splice(Number(first), 1);
  else delete made[first];
  return made;
}

/** Return whether data has a place, whatever lies there. @param {Schema} schema @param {any} data @param {Path} path @returns {boolean} */
export const hasPlace = (schema, data, path) => findSchema(schema, data, path) !== null && path.every((step, at) => typeof step !== "number" || step < (getAt(data, path.slice(0, at))?.length ?? Infinity));

/** Return what lies at a place; undefined for nothing. @param {any} data @param {Path} path @returns {any} */
export const getAt = (data, path) => path.reduce((part, name) => part?.[name], data);

/** Return the schema of a place, as the values on the way choose it. @param {Schema} schema @param {any} data @param {Path} path @returns {Schema | null} */
export function findSchema(schema, data, [first, ...rest]) {
  if (first === undefined) return schema;
  const chosen = findOption(schema, data), inner = typeof first === "number" ? chosen.items : chosen.properties?.[first] ?? chosen.additionalProperties;
  return inner ? findSchema(inner, data?.[first], rest) : null;
}

/** @param {any} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Return whether a value has the form of a schema: its type and what tells forms apart, no more. @param {Schema} schema @param {any} value @returns {boolean} */
export function isOf(schema, value) {
  if ("const" in schema) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  if (schema.anyOf) return schema.anyOf.some((/** @type {Schema} */ option) => isOf(option, value));
  switch (schema.type) {
    case "null": return value === null;
    case "integer": return Number.isInteger(value);
    case "boolean": case "string": return typeof value === schema.type;
    case "array": return Array.isArray(value) && value.every((each) => isOf(schema.items ?? {}, each));
    case "object": return isObject(value) && Object.entries(schema.properties ?? {}).every(([name, part]) => !("const" in part) || part.const === value[name]);
    default: return true;
  }
}

/** Return the one of several forms that a value has, else that of its type, else the first. @param {Schema} schema @param {any} value @returns {Schema} */
export function findOption(schema, value) {
  if (!schema.anyOf) return schema;
  const kind = Array.isArray(value) ? "array" : value === null ? "null" : typeof value === "number" ? "integer" : typeof value;
  return schema.anyOf.find((/** @type {Schema} */ option) => isOf(option, value)) ?? schema.anyOf.find((/** @type {Schema} */ option) => (option.type ?? "string") === kind) ?? schema.anyOf[0];
}

/** Return the value with which a form begins. @param {Schema} schema @returns {any} */
export function makeStart(schema) {
  if (schema.default !== undefined) return schema.default;
  if ("const" in schema) return schema.const;
  if (schema.anyOf) return makeStart(findPile(schema)?.option ?? schema.anyOf[0]);
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case "integer": return Math.min(schema.maximum ?? 0, Math.max(schema.minimum ?? 0, 0));
    case "boolean": return false;
    case "string": return "";
    case "array": return Array.from({ length: schema.minItems ?? 0 }, () => makeStart(schema.items));
    case "object": return Object.fromEntries((schema.required ?? []).map((/** @type {string} */ name) => [name, makeStart(schema.properties[name])]));
    default: return null;
  }
}

/** Return an example as far as the cards of another box allow; if they are others, nobody knows how many lie in its piles. @param {Schema} schema @param {any} example */
export function fitExample(schema, example) {
  const kept = keepKnown(schema, example), isWhole = JSON.stringify(kept) === JSON.stringify(example);
  return isWhole ? example : Object.fromEntries(Object.entries(kept).filter(([name, value]) => !(Number.isInteger(value) && findPile(schema.properties[name] ?? {}))));
}

/** Return data without what its schema does not know, such as cards of another box. @param {Schema} schema @param {any} data @returns {any} */
function keepKnown(schema, data) {
  const { items = {}, maxItems, properties = {}, additionalProperties, propertyNames, required = [] } = findOption(schema, data);
  if (Array.isArray(data)) return data.filter((each) => isKnown(items, each)).map((each) => keepKnown(items, each)).slice(0, maxItems);
  if (!isObject(data)) return data;
  return Object.fromEntries(Object.entries(data).flatMap(([name, value]) => {
    const part = properties[name] ?? additionalProperties ?? {}, kept = keepKnown(part, value);
    if (propertyNames?.enum && !propertyNames.enum.includes(name)) return [];
    if (isKnown(part, kept)) return [[name, kept]];
    return required.includes(name) ? [[name, makeStart(part)]] : [];
  }));
}

/** @param {Schema} schema @param {any} value what is in it is looked at by itself */
const isKnown = (schema, value) => (Array.isArray(value) ? value.length >= (findOption(schema, value).minItems ?? 0) : isObject(value) || isOf(schema, value));

/** Return what a pile holds, if the schema is of one: some cards, how many there are, whether there are more. @param {Schema} schema */
export function findPile(schema) {
  const option = schema.anyOf?.find((/** @type {Schema} */ each) => each.type === "array"), whole = schema.anyOf?.find((/** @type {Schema} */ each) => each.properties?.cards);
  return option && whole ? { option, item: option.items, most: option.maxItems ?? 99, isCounted: Boolean(whole.properties.count) } : null;
}

/** @param {any} value @returns {Pile} */
export function readPile(value) {
  if (Number.isInteger(value)) return { cards: [], count: value, more: false };
  if (Array.isArray(value)) return { cards: value, count: null, more: false };
  return { cards: value?.cards ?? [], count: value?.count ?? null, more: Boolean(value?.more) };
}

/** @param {Pile} pile @returns {any} in the shortest of its forms */
export function writePile({ cards, count, more }) {
  if (more) return { cards, more: true };
  if (count === null || count <= cards.length) return cards;
  return cards.length === 0 ? count : { cards, count };
}

/** Return the card that a value names; a copy, or a card with a mark, is one of its kind. @param {any} value @param {Wording} wording */
export const findDesign = (value, { cards }) => (typeof value === "string" ? cards[value.replace(/[!#].*$/, "")] ?? null : null);

/** @param {string} name @param {Wording} wording */
export function nameMember(name, { words }) {
  const found = say(words.members[name]) || name;
  return found.charAt(0).toUpperCase() + found.slice(1);
}

/** Return a plain value in words: cards by name, players by seat. @param {any} value @param {Wording} wording @param {Schema} [schema] @returns {string} */
export function nameValue(value, wording, schema) {
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (value === null) return t("judge_nobody");
  if (schema?.["x-seat"] && Number.isInteger(value)) return value < 0 ? t("judge_nobody") : nameSeat(value, wording.names);
  const design = findDesign(value, wording), mark = String(value).split("!")[1];
  if (design) return mark ? t("judge_marked", { card: say(design.name), back: t(`judge_back_${mark}`) }) : say(design.name);
  if (typeof value === "string" && value.startsWith("?")) return value === "?" ? t("face_down") : t("judge_marked", { card: t("face_down"), back: t(`judge_back_${value.slice(1)}`) });
  return say(wording.words.values[String(value)]) || String(value).replace(/_/g, " ");
}

/** Return anything that is written in words, as it stands in a row. @param {any} value @param {Wording} wording @param {Schema} schema @returns {string} */
export function tellValue(value, wording, schema) {
  if (findPile(schema)) {
    const { cards, count, more } = readPile(value), item = findPile(schema)?.item ?? {};
    const named = cards.map((card) => tellValue(card, wording, item)), left = count === null ? 0 : count - cards.length;
    if (more || left > 0) named.push(more ? t("judge_and_more") : countCards(left));
    return named.join(", ") || t("none");
  }
  const chosen = findOption(schema, value);
  if (Array.isArray(value)) return value.map((each) => tellValue(each, wording, chosen.items ?? {})).join(", ") || t("none");
  if (!isObject(value)) return nameValue(value, wording, chosen);
  return Object.entries(value).map(([name, each]) => (name === "asks" || name === "type" ? "" : `${nameMember(name, wording)}: ${tellValue(each, wording, chosen.properties?.[name] ?? chosen.additionalProperties ?? {})}`)).filter(Boolean).join("; ");
}

/** Return a place of a position in words: "Ada, hearts". @param {string} pointer @param {Wording} wording @returns {string} */
export function tellPlace(pointer, wording) {
  const path = parsePointer(pointer);
  return path.map((part, at) => (typeof part === "number" ? (SEAT_LISTS.includes(String(path[at - 1])) ? nameSeat(part, wording.names) : `${part + 1}.`)
    : SEAT_LISTS.includes(part) && at < path.length - 1 ? "" : part === "cards" ? "" : part in wording.words.members ? nameMember(part, wording) : nameValue(part, wording))).filter(Boolean).join(", ");
}
