// @ts-check
// One form for all games: each place of a position or a move is drawn by its schema, with numbers to step, cards to search, players
// to tap. What the referee finds wrong with a place is said there.
import { html, useState } from "../../lib/html.js";
import { nameSeat, t } from "../../lib/words.js";
import { Face, SeatMark, Toggle } from "../../parts/basic.js";
import { CardSheet } from "./cards.js";
import { findDesign, findOption, findPile, makeStart, nameMember, nameValue, readPile, SEAT_LISTS, tellValue, toPointer, writePile } from "./written.js";

/** @typedef {import("./written.js").Schema} Schema */
/** @typedef {import("./written.js").Path} Path */
/** @typedef {import("./written.js").Wording} Wording */
/** @typedef {{pointer: string, detail: string}} Mistake */
/** @typedef {{schema: Schema, value: any, path: Path, wording: Wording, mistakes: Mistake[], onChange: (value: any) => void, label?: string, isBare?: boolean}} FieldProps */

const FEW = 7; // values beyond which one chooses from a list

/** Return what is wrong with a place, or within it. @param {Mistake[]} mistakes @param {Path} path @param {boolean} [within] */
function findMistakes(mistakes, path, within = false) {
  const pointer = toPointer(path);
  return mistakes.filter((each) => each.pointer === pointer || (within && each.pointer.startsWith(`${pointer}/`)));
}

/** What the referee says about a place. @param {{mistakes: Mistake[], path: Path, within?: boolean}} props */
const Wrong = ({ mistakes, path, within }) => html`${findMistakes(mistakes, path, within).map((each) => html`<p key=${each.pointer} class="no small wrong-here">${each.detail}</p>`)}`;

/** Return whether the values are cards, so that one looks for them by name. @param {Schema} schema @param {Wording} wording @returns {boolean} */
const areCards = (schema, wording) => Boolean(schema?.enum?.some((/** @type {any} */ value) => findDesign(value, wording)));

/** Return the values of the cards that a place takes, whether or not more is said about each. @param {Schema} schema @param {Wording} wording @returns {any[] | null} */
function listCards(schema, wording) {
  if (areCards(schema, wording)) return schema.enum;
  const plain = schema?.anyOf?.find((/** @type {Schema} */ option) => areCards(option, wording));
  return plain?.enum ?? null;
}

/** @param {FieldProps} props */
export function Field(props) {
  const { schema, value, path, wording, mistakes, onChange, isBare } = props, label = props.label ?? nameMember(String(path.at(-1)), wording);
  const id = `at${toPointer(path)}`, chosen = findOption(schema, value);
  const wrap = (/** @type {any} */ inner, /** @type {boolean} */ within) => html`<div class="place-field" id=${id} tabindex="-1" role="group" aria-label=${label}>
    ${!isBare && html`<b aria-hidden="true">${label}</b>`}${inner}<${Wrong} mistakes=${mistakes} path=${path} within=${within} /></div>`;
  if ("const" in schema) return null;
  if (findPile(schema)) return wrap(html`<${PileField} ...${props} label=${label} />`, !areCards(findPile(schema)?.item, wording) ? false : true);
  if (schema.anyOf?.some((/** @type {Schema} */ option) => option.properties?.asks || option.properties?.type)) return html`<${KindField} ...${props} label=${label} id=${id} />`;
  if (hasSeat(schema)) return wrap(html`<${SeatField} ...${props} />`, true);
  if (chosen.properties && listCards(schema, wording)) return html`<${ObjectField} ...${props} schema=${chosen} label=${label} id=${id} />`;
  if (chosen.enum && (areCards(chosen, wording) || listCards(schema, wording)))
    return wrap(html`<${CardField} ...${props} schema=${schema} values=${chosen.enum} label=${label} />`, true);
  if (chosen.enum) return wrap(html`<${ChoiceField} ...${props} schema=${chosen} label=${label} />`, true);
  if (chosen.type === "integer") return wrap(html`<${NumberField} ...${props} schema=${chosen} label=${label} />`, true);
  if (chosen.type === "boolean") return wrap(html`<div class="row">${[true, false].map((each) => html`<${Toggle} on=${value === each} onClick=${() => onChange(each)}>${t(each ? "yes" : "no")}<//>`)}</div>`, true);
  if (chosen.type === "string") return wrap(html`<input aria-label=${label} value=${value ?? ""} maxlength=${chosen.maxLength} onInput=${(/** @type {any} */ event) => onChange(event.target.value)} />`, true);
  if (chosen.type === "array") {
    if (areCards(chosen.items, wording)) return wrap(html`<${CardsField} value=${value ?? []} item=${chosen.items} most=${chosen.maxItems} wording=${wording} label=${label} onChange=${onChange} />`, true);
    if (chosen.items?.["x-seat"]) return wrap(html`<${SeatsField} ...${props} />`, true);
    return html`<${ListField} ...${props} schema=${chosen} label=${label} id=${id} />`;
  }
  if (chosen.type === "object") return html`<${ObjectField} ...${props} schema=${chosen} label=${label} id=${id} />`;
  if (chosen.type === "null") return wrap(html`<button type="button" onClick=${() => onChange(makeStart(schema.anyOf.find((/** @type {Schema} */ option) => option.type !== "null")))}>${t("none")} → ${t("judge_choose")}</button>`, true);
  return null;
}

/** @param {Schema} schema @returns {boolean} */
const hasSeat = (schema) => Boolean(schema["x-seat"] || schema.anyOf?.some((/** @type {Schema} */ option) => option["x-seat"]));

/** One player, or nobody. @param {FieldProps} props */
const SeatField = ({ schema, value, wording, onChange }) => html`<div class="row wrap">${Array.from({ length: wording.seats }, (_, seat) => html`<${Toggle} key=${seat}
    on=${value === seat} onClick=${() => onChange(seat)}><span class="who"><${SeatMark} seat=${seat} name=${String(seat + 1)} /> ${nameSeat(seat, wording.names)}</span><//>`)}
  ${[null, -1].map((nobody) => schema.anyOf?.some((/** @type {Schema} */ option) => (nobody === null ? option.type === "null" : option.enum?.includes(-1)))
    && html`<${Toggle} on=${value === nobody} onClick=${() => onChange(nobody)}>${t("judge_nobody")}<//>`)}</div>`;

/** Several players, in the order in which they are tapped. @param {FieldProps} props */
const SeatsField = ({ value, wording, onChange }) => html`<div class="row wrap">${Array.from({ length: wording.seats }, (_, seat) => {
  const place = (value ?? []).indexOf(seat);
  return html`<${Toggle} key=${seat} on=${place >= 0} onClick=${() => onChange(place < 0 ? [...(value ?? []), seat] : value.filter((/** @type {number} */ each) => each !== seat))}>
    <span class="who"><${SeatMark} seat=${seat} name=${String(seat + 1)} /> ${nameSeat(seat, wording.names)}${value?.length > 1 && place >= 0 ? ` (${place + 1}.)` : ""}</span><//>`;
})}</div>`;

/** A number to step, or to type. @param {FieldProps & {label: string}} props */
export function NumberField({ schema, value, label, onChange }) {
  const least = schema.minimum ?? -1000, most = schema.maximum ?? 1000;
  return html`<div class="row stepper"><button type="button" aria-label=${t("judge_less", { what: label })} disabled=${value <= least} onClick=${() => onChange(value - 1)}><b>−</b></button>
    <input class="num" type="number" inputmode="numeric" aria-label=${label} min=${least} max=${most} value=${value}
      onInput=${(/** @type {any} */ event) => event.target.value !== "" && Number.isInteger(Number(event.target.value)) && onChange(Number(event.target.value))} />
    <button type="button" aria-label=${t("judge_more", { what: label })} disabled=${value >= most} onClick=${() => onChange(value + 1)}><b>+</b></button></div>`;
}

/** One of a few values as buttons, of many as a list. @param {FieldProps & {label: string}} props */
const ChoiceField = ({ schema, value, path, wording, label, onChange }) => {
  const values = /** @type {any[]} */ (schema.enum), tell = (/** @type {any} */ each) => tellChoice(each, wording, path);
  return values.length <= FEW && values.every((each) => tell(each).length < 24)
    ? html`<div class="row wrap">${values.map((each) => html`<${Toggle} key=${String(each)} on=${each === value} onClick=${() => onChange(each)}>${tell(each)}<//>`)}</div>`
    : html`<select aria-label=${label} value=${values.indexOf(value)} onChange=${(/** @type {any} */ event) => onChange(values[Number(event.target.value)])}>
      ${values.map((each, at) => html`<option key=${at} value=${at} selected=${each === value}>${tell(each)}</option>`)}</select>`;
};

/** Return a value in words; the open question as it is asked. @param {any} value @param {Wording} wording @param {Path} path @returns {string} */
const tellChoice = (value, wording, path) => (path.length === 1 && path[0] === "question" && wording.asks[String(value)]) || nameValue(value, wording);

/** One card, found by its name. @param {FieldProps & {values: any[], label: string}} props */
function CardField({ schema, value, values, wording, label, onChange }) {
  const [isOpen, setOpen] = useState(false), design = findDesign(value, wording);
  const whole = schema.anyOf?.find((/** @type {Schema} */ option) => option.properties), held = whole && Object.keys(whole.properties).find((name) => whole.properties[name].enum?.includes(value));
  return html`<div class="row wrap"><button type="button" class="grow chip-card" onClick=${() => setOpen(true)}>${design && html`<${Face} design=${design} game=${wording.game} />`}<span>${nameValue(value, wording)}</span></button>
    ${held && html`<button type="button" onClick=${() => onChange({ ...makeStart(whole), [held]: value })}>${t("judge_details")}</button>`}</div>
    ${isOpen && html`<${CardSheet} title=${label} values=${values} wording=${wording} onClose=${() => setOpen(false)} onChosen=${(/** @type {any} */ card) => (setOpen(false), onChange(card))} />`}`;
}

/** Cards as chips: a tap takes one away, a search adds one. @param {{value: any[], item: Schema, most?: number, wording: Wording, label: string, onChange: (value: any[]) => void, children?: any}} props */
export function CardsField({ value, item, most = 99, wording, label, onChange, children }) {
  const [isOpen, setOpen] = useState(false);
  return html`<div class="row wrap">${value.map((card, at) => html`<button type="button" key=${`${at} ${card}`} class="chip-card"
      onClick=${() => onChange(value.filter((_, other) => other !== at))}><${Face} design=${findDesign(card, wording)} game=${wording.game} /><span>${nameValue(card, wording)}</span><i aria-hidden="true">×</i><span class="sr">${t("judge_take_away")}</span></button>`)}
    <button type="button" class="add" disabled=${value.length >= most} onClick=${() => setOpen(true)}>+ ${t("judge_card")}<span class="sr">, ${label}</span></button>${children}</div>
    ${isOpen && html`<${CardSheet} title=${label} values=${item.enum} wording=${wording} onClose=${() => setOpen(false)} onChosen=${(/** @type {any} */ card) => (setOpen(false), onChange([...value, card]))} />`}`;
}

/** A hand or a pile: the cards that are known, and how many there are. @param {FieldProps & {label: string}} props */
function PileField({ schema, value, path, wording, mistakes, label, onChange }) {
  const kind = findPile(schema), pile = readPile(value), many = Math.max(pile.cards.length, pile.count ?? 0);
  if (!kind) return null;
  const set = (/** @type {any} */ change) => onChange(writePile({ ...pile, ...change }));
  const setCards = (/** @type {any[]} */ cards) => set({ cards, count: pile.count === null ? null : Math.max(cards.length, pile.count + cards.length - pile.cards.length) });
  const areChips = areCards(kind.item, wording), more = html`<${Toggle} on=${pile.more} onClick=${() => set({ more: !pile.more, count: null })}>${kind.isCounted && !pile.more ? html`?<span class="sr"> ${t("judge_unknown_count")}</span>` : t(kind.isCounted ? "judge_unknown_count" : "judge_and_more")}<//>`;
  return html`${areChips ? html`<${CardsField} value=${pile.cards} item=${kind.item} most=${kind.most} wording=${wording} label=${label} onChange=${setCards}>${!kind.isCounted && more}<//>`
    : html`<${ListField} schema=${kind.option} value=${pile.cards} path=${Array.isArray(value) ? path : [...path, "cards"]} wording=${wording} mistakes=${mistakes} label=${label} isBare onChange=${setCards} />`}
    ${(kind.isCounted || !areChips) && html`<div class="row wrap">${kind.isCounted && html`<span class="small grow">${t("judge_in_all")}</span>`}
      ${kind.isCounted && !pile.more && html`<${NumberField} schema=${{ minimum: pile.cards.length, maximum: kind.most }} value=${many} label=${`${label}, ${t("judge_in_all")}`} onChange=${(/** @type {number} */ count) => set({ count })} />`}
      ${more}</div>`}`;
}

/** A list of anything. @param {FieldProps & {label: string, id?: string}} props */
function ListField({ schema, value, path, wording, mistakes, label, id, isBare, onChange }) {
  const items = Array.isArray(value) ? value : [], isFixed = schema.minItems !== undefined && schema.minItems === schema.maxItems;
  const isOfSeats = SEAT_LISTS.includes(String(path.at(-1))), cards = listCards(schema.items, wording), [isOpen, setOpen] = useState(false);
  const add = () => (cards ? setOpen(true) : onChange([...items, isOfSeats && items.length ? Object.fromEntries(Object.entries(items[0]).map(([name]) => [name, makeStart(schema.items.properties[name])])) : makeStart(schema.items)]));
  const inner = html`${items.map((each, at) => {
    const set = (/** @type {any} */ changed) => onChange(items.map((other, place) => (place === at ? changed : other)));
    const take = !isFixed && html`<button type="button" class=${isOfSeats ? "leave" : "icon take"} aria-label=${t("judge_remove", { what: isOfSeats ? nameSeat(at, wording.names) : tellValue(each, wording, schema.items) || String(at + 1) })} onClick=${() => onChange(items.filter((_, place) => place !== at))}>${isOfSeats ? t("judge_remove", { what: nameSeat(at, wording.names) }) : "×"}</button>`;
    return isOfSeats ? html`<${SeatPart} key=${at} seat=${at} item=${schema.items} value=${each} path=${[...path, at]} wording=${wording} mistakes=${mistakes} onChange=${set} take=${items.length > (schema.minItems ?? 0) && take} />`
      : html`<div class="row item" key=${at}><div class="grow"><${Field} schema=${schema.items} value=${each} path=${[...path, at]} wording=${wording} mistakes=${mistakes} label=${`${label} ${at + 1}`} isBare onChange=${set} /></div>${take}</div>`;
  })}
    ${!isFixed && items.length < (schema.maxItems ?? 99) && html`<button type="button" class="add" onClick=${add}>+ ${t(isOfSeats ? "judge_player" : cards ? "judge_card" : "judge_entry")}<span class="sr">, ${label}</span></button>`}
    ${isOpen && cards && html`<${CardSheet} title=${label} values=${cards} wording=${wording} onClose=${() => setOpen(false)} onChosen=${(/** @type {any} */ card) => (setOpen(false), onChange([...items, card]))} />`}`;
  if (isBare) return html`<div class="stack" id=${id}>${inner}</div>`;
  if (isOfSeats) return html`<div class="stack" id=${id} tabindex="-1" role="group" aria-label=${label}>${inner}<${Wrong} mistakes=${mistakes} path=${path} /></div>`;
  return html`<fieldset class="fields" id=${id} tabindex="-1"><legend>${label}</legend>${inner}<${Wrong} mistakes=${mistakes} path=${path} /></fieldset>`;
}

/** A player, folded: what is written of him stands in the heading. @param {{seat: number, item: Schema, value: any, path: Path, wording: Wording, mistakes: Mistake[], onChange: (value: any) => void, take: any}} props */
function SeatPart({ seat, item, value, path, wording, mistakes, onChange, take }) {
  const name = nameSeat(seat, wording.names), wrong = findMistakes(mistakes, path, true).length > 0;
  return html`<details class="seat-part" open=${seat === 0 || wrong}><summary><${SeatMark} seat=${seat} name=${String(seat + 1)} /><span class="grow"><b>${name}</b><small class="detail">${tellValue(value, wording, item)}</small></span></summary>
    <${ObjectField} schema=${item} value=${value} path=${path} wording=${wording} mistakes=${mistakes} label=${name} isBare onChange=${onChange} />${take}</details>`;
}

/** Members that are said, and a list of those that are not. @param {FieldProps & {label: string, id?: string}} props */
export function ObjectField({ schema, value: given, path, wording, mistakes, label, id, isBare, onChange }) {
  const value = typeof given === "object" && given !== null ? given : {}; // out of a file it may be anything
  const known = schema.properties ?? {}, said = Object.keys(value).filter((name) => !("const" in (known[name] ?? {})));
  const order = [...Object.keys(known).filter((name) => said.includes(name)), ...said.filter((name) => !(name in known))]
    .sort((one, other) => Number(SEAT_LISTS.includes(other)) - Number(SEAT_LISTS.includes(one))); // people look at people first
  const left = Object.keys(known).filter((name) => !(name in value) && !("const" in known[name])), of = schema.additionalProperties;
  const inner = html`${order.map((name) => {
    const part = known[name] || of || {}, isKey = !(name in known);
    return html`<div class="item member" key=${name}><div class="grow"><${Field} schema=${part} value=${value[name]} path=${[...path, name]} wording=${wording} mistakes=${mistakes}
        label=${isKey ? nameValue(name, wording) : undefined} onChange=${(/** @type {any} */ changed) => onChange({ ...value, [name]: changed })} /></div>
      ${!(schema.required ?? []).includes(name) && html`<button type="button" class="icon take" aria-label=${t("judge_remove", { what: isKey ? nameValue(name, wording) : nameMember(name, wording) })}
        onClick=${() => onChange(Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)))}>×</button>`}</div>`;
  })}
    ${left.length > 0 && html`<select class="add" aria-label=${t("judge_add_to", { what: label })} value="" onChange=${(/** @type {any} */ event) => {
      const name = event.target.value;
      event.target.value = "";
      onChange({ ...value, [name]: makeStart(known[name]) });
    }}><option value="">+ ${t("judge_member")}</option>${left.map((name) => html`<option key=${name} value=${name}>${nameMember(name, wording)}</option>`)}</select>`}
    ${of && left.length === 0 && html`<${KeyField} schema=${schema} value=${value} wording=${wording} label=${label} onChange=${onChange} />`}`;
  if (isBare) return html`<div class="stack" id=${id}>${inner}<${Wrong} mistakes=${mistakes} path=${path} /></div>`;
  return html`<fieldset class="fields" id=${id} tabindex="-1"><legend>${label}</legend>${inner}<${Wrong} mistakes=${mistakes} path=${path} /></fieldset>`;
}

/** Another key of a mapping: a card, or a name. @param {{schema: Schema, value: any, wording: Wording, label: string, onChange: (value: any) => void}} props */
function KeyField({ schema, value, wording, label, onChange }) {
  const [isOpen, setOpen] = useState(false), [key, setKey] = useState("");
  const add = (/** @type {string} */ name) => onChange({ ...value, [name]: makeStart(schema.additionalProperties) });
  if (schema.propertyNames?.enum)
    return html`<button type="button" class="add" onClick=${() => setOpen(true)}>+ ${t("judge_card")}<span class="sr">, ${label}</span></button>${isOpen && html`<${CardSheet} title=${label} values=${schema.propertyNames.enum} wording=${wording}
      onClose=${() => setOpen(false)} onChosen=${(/** @type {any} */ card) => (setOpen(false), add(card))} />`}`;
  return html`<div class="row"><input class="grow" aria-label=${t("judge_key")} placeholder=${t("judge_key")} value=${key} maxlength="64" onInput=${(/** @type {any} */ event) => setKey(event.target.value.trim())} />
    <button type="button" disabled=${!key || key in (value ?? {})} onClick=${() => (add(key), setKey(""))}>+</button></div>`;
}

/** Which of several kinds, and then its members. @param {FieldProps & {label: string, id: string}} props */
function KindField({ schema, value, path, wording, mistakes, label, id, onChange }) {
  const options = /** @type {Schema[]} */ (schema.anyOf.filter((/** @type {Schema} */ each) => each.properties || each.type === "null")), chosen = findOption(schema, value);
  const kindOf = (/** @type {Schema} */ option) => option.properties?.asks?.const ?? option.properties?.type?.const ?? "", at = options.indexOf(chosen);
  return html`<fieldset class="fields" id=${id} tabindex="-1"><legend>${label}</legend>
    <select aria-label=${label} value=${at} onChange=${(/** @type {any} */ event) => onChange(makeStart(options[Number(event.target.value)] ?? {}))}>
      ${options.map((option, place) => html`<option key=${place} value=${place} selected=${place === at}>${option.type === "null" ? t("none") : wording.asks[kindOf(option)] ?? nameValue(kindOf(option), wording)}</option>`)}</select>
    ${chosen.properties && html`<${ObjectField} schema=${chosen} value=${value} path=${path} wording=${wording} mistakes=${mistakes} label=${label} isBare onChange=${onChange} />`}
    ${!chosen.properties && html`<${Wrong} mistakes=${mistakes} path=${path} />`}</fieldset>`;
}
