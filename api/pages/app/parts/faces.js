// @ts-nocheck drawings: numbers and paths
// Card faces from card data. Pure functions: data in, SVG text out; no DOM, no state.
//   face(card, game)  -> <svg viewBox="0 0 64 88">   seat(n) -> shape of seat n (1..7)   icon(name) -> 16 x 16
// The grammar, the same in all five games:
//   outline of the window = what kind of card it is   (arch: being, night: monster, tag: thing, star: once, split: number, bolt: answer)
//   top left = what it asks (roll, cost, level)       top right = whose it is (class, deck, keyword)
//   picture = drawn from the card's id, so it is always the same and nobody's but ours
//   bottom strip = what it does, at most three icons, in the order in which it happens
const P = { paper: "#FBFAF3", ink: "#16211F" };
const INK = {                                           // first ink, second ink (a tint of it)
  fighter: ["#A8281C", "#F3B8A6"], guardian: ["#7A5A00", "#F0D588"], ranger: ["#1C6B3A", "#A9DDB4"],
  thief: ["#3A3F8C", "#BFC4F2"], wizard: ["#6B2A91", "#DDB9EE"], bard: ["#0B6472", "#A5DDE4"],
  thing: ["#5A4632", "#E2D0B8"], cursed: ["#3F3F46", "#C7C7CF"], magic: ["#6B2A91", "#EBD3F5"],
  modifier: ["#16211F", "#BFE6CC"], answer: ["#16211F", "#FFFFFF"], monster: ["#20302C", "#9FD8C2"],
  undead: ["#2B3150", "#B9C3F0"], demon: ["#4A1416", "#F2A08C"], crush: ["#123B4A", "#8FD3EA"], creature: ["#2B5A3C", "#BFE3B4"],
};
const PLUS = "#BFE6CC", MINUS = "#F4C2B6";
const TINT = ["#9FD8C2", "#F4B8A2", "#C3C8F5", "#F1D98F", "#93D5EC", "#E3B9EC"];
const hash = s => { let h = 2166136261; for (const c of s) h = Math.imul(h ^ c.charCodeAt(0), 16777619); h ^= h >>> 15; h = Math.imul(h, 2246822507); return (h ^ (h >>> 13)) >>> 0; };
const pick = (h, shift, n) => (h >>> shift) % n;

export const SEATS = ["circle", "triangle", "square", "diamond", "pentagon", "cross", "star"];
const SHAPE = {
  circle: "M12 1.5a10.5 10.5 0 1 1 0 21 10.5 10.5 0 0 1 0-21z", triangle: "M12 1.2 23.4 21.6a.9.9 0 0 1-.8 1.4H1.4a.9.9 0 0 1-.8-1.4z",
  square: "M3.5 2h17A1.5 1.5 0 0 1 22 3.5v17a1.5 1.5 0 0 1-1.5 1.5h-17A1.5 1.5 0 0 1 2 20.5v-17A1.5 1.5 0 0 1 3.5 2z",
  diamond: "M12 .4 23.6 12 12 23.6.4 12z", pentagon: "M12 .8 23.5 9.2 19.1 22.8H4.9L.5 9.2z",
  cross: "M7.5 1h9v6.5h6.5v9h-6.5v6.5h-9v-6.5H1v-9h6.5z", star: "M12 .5l3.5 7.6 8.3 1-6.1 5.7 1.6 8.2L12 18.9 4.7 23l1.6-8.2L.2 9.1l8.3-1z",
};
export const seat = (n, letter = "", cls = "") => `<svg class="seat ${cls}" viewBox="0 0 24 24" aria-hidden="true"><path d="${SHAPE[SEATS[n - 1]]}" fill="var(--seat-${n})"/>${letter ? `<text x="12" y="${n === 2 ? 19.5 : 16.3}" text-anchor="middle" font-size="${n === 2 ? 11 : 12.5}" font-weight="800" fill="var(--on-seat-${n})">${letter}</text>` : ""}</svg>`;

const head = (x, y = 5) => `<circle cx="${x}" cy="${y}" r="2.7"/><path d="M${x - 4.8} 14c0-3 2.1-4.6 4.8-4.6s4.8 1.6 4.8 4.6"/>`;
const card = x => `<rect x="${x}" y="2.5" width="7" height="11" rx="1.3"/>`;
const ICON = {
  draw: card(2) + `<path d="M12.5 5.5v5M10 8h5"/>`, discard: card(2) + `<path d="M12.5 3.5v8.5M10.2 9.7l2.3 2.3 2.3-2.3"/>`,
  pull: card(7.5) + `<path d="M5.8 8H1M3.2 5.8 1 8l2.2 2.2"/>`, give: card(7.5) + `<path d="M1 8h4.8M3.6 5.8 5.8 8l-2.2 2.2"/>`,
  steal: head(10.5) + `<path d="M5.7 5H.9M3.1 2.8.9 5l2.2 2.2"/>`, destroy: head(5.8) + `<path d="M11 2.3l4 4M15 2.3l-4 4"/>`,
  sacrifice: head(5.8) + `<path d="M13 2v6.5M10.9 6.4 13 8.5l2.1-2.1"/>`, search: `<path d="M2 13.5V4.5A2 2 0 0 1 4 2.5h5"/><circle cx="9" cy="9" r="3.6"/><path d="M11.7 11.7 15 15"/>`,
  look: `<path d="M.8 8S3.5 3 8 3s7.2 5 7.2 5-2.7 5-7.2 5S.8 8 .8 8z"/><circle cx="8" cy="8" r="2.1"/>`,
  swap: `<path d="M2 5.3h11.5M11 2.8l2.5 2.5L11 7.8M14 10.7H2.5M5 8.2l-2.5 2.5L5 13.2"/>`,
  shield: `<path d="M8 1.5 14 3.5v4.3c0 3.5-2.5 5.7-6 6.9-3.5-1.2-6-3.4-6-6.9V3.5z"/>`, heart: `<path d="M8 14S1.5 10 1.5 5.6A3.3 3.3 0 0 1 8 4.5a3.3 3.3 0 0 1 6.5 1.1C14.5 10 8 14 8 14z"/>`,
  bonus: `<rect x="1.5" y="5" width="9.5" height="9.5" rx="2"/><path d="M4.5 11.5h.01M8 8h.01" stroke-width="2.6"/><path d="M13 1v5M10.5 3.5h5"/>`,
  malus: `<rect x="1.5" y="5" width="9.5" height="9.5" rx="2"/><path d="M4.5 11.5h.01M8 8h.01" stroke-width="2.6"/><path d="M10.8 3h4.4"/>`,
  play: `<path d="M9 .8 3.5 9H8l-1 6.2L12.5 7H8z"/>`, item: `<path d="M2 6.5 7.5 1.5H14v6.5L8.5 14z"/><circle cx="11" cy="4.6" r=".9"/>`,
  none: `<path d="M4.5 4h7l-7 8h7"/>`, sword: `<path d="M14 2 6.5 9.5M14 2h-3M14 2v3M3.5 8.5l4 4M5.5 10.5 2 14"/>`, stop: `<circle cx="8" cy="8" r="6"/><path d="M4 4l8 8"/>`,
  treasure: `<rect x="1.5" y="6" width="13" height="8" rx="1.5"/><path d="M1.5 9.5h13M3 6c0-2.5 2-4 5-4s5 1.5 5 4M8 8.5v2"/>`, sleep: `<path d="M9 2h5l-5 5h5M2 8h4.5L2 13h4.5"/>`, flee: `<circle cx="9.5" cy="2.9" r="1.6"/><path d="M9 6 6 9l3 2-1 4M9 6l2.5 2.5H14M6 9l-3.5.5M5.5 12 3 14.5"/>`,
  dice: `<rect x="2" y="2" width="12" height="12" rx="2.6"/><path d="M5.3 5.300h.01M8 8h.01M10.700 10.700h.01" stroke-width="2.6"/>`, skip: `<path d="M2 3.500 7.500 8 2 12.500zM8.500 3.500 14 8l-5.500 4.500z"/>`, less: `<path d="M8 2.500v11M3.500 9 8 13.500 12.500 9"/>`, more: `<path d="M8 13.500v-11M3.500 7 8 2.500 12.500 7"/>`,
  turn: `<path d="M13.500 6.500A6 6 0 0 0 3 5.200M2.500 9.500A6 6 0 0 0 13 10.800M3 1.800v3.400h3.400M13 14.200v-3.400H9.600"/>`, wish: `<path d="M8 1.500c2 2.500 5.500 4.300 5.500 7 0 2.500-3.300 3.300-4.500 1.500L10 14H6l1-4c-1.200 1.800-4.500 1-4.500-1.500 0-2.700 3.500-4.500 5.500-7z"/>`, bolt: `<path d="M9 .8 3.500 9H8l-1 6.2L12.500 7H8z"/>`, mask: `<path d="M1 5.500C4 4 6 4.500 8 6c2-1.500 4-2 7-.5-.2 4-2 6-4.200 6-1.500 0-2.300-1-2.800-2.200C7.500 10.500 6.700 11.500 5.200 11.500 3 11.500 1.200 9.500 1 5.500z"/>`,
  town: `<path d="M1.5 14.5V7.500L5 4.500l3.500 3v7M8.500 9.500V4L11.500 1.500 14.500 4v10.500zM4 10.500h.01M11.500 6h.01M11.500 10h.01"/>`, towns: `<path d="M1 13.500V8l3-2.500L7 8v5.500zM9 13.500V8l3-2.500L15 8v5.500zM8 1v4M6 3h4"/>`, level: `<path d="M3 14h3.500v-3.500H10V7h3.500M8.500 4 11 1.500 13.500 4M11 1.500V5"/>`,
  skull: `<path d="M4 11.500C2.300 10.500 1.500 9 1.500 7a6.500 5.500 0 0 1 13 0c0 2-.8 3.500-2.500 4.500v3H4zM5.500 7.500h.01M10.500 7.500h.01M8 12v2.500" /><path d="M5.300 7.500h.01M10.700 7.500h.01" stroke-width="3"/>`, wander: `<circle cx="6" cy="3.500" r="2"/><path d="M6 6.500V10l-2.500 4M6 10l2.500 4M2.500 8.500 6 7l3 2M11 8h4M13 6l2 2-2 2"/>`, stronger: `<path d="M2 12.500 8 6.500l6 6M2 8 8 2l6 6"/>`,
  sum: `<path d="M13 3H4l5 5-5 5h9"/>`, all: `<path d="M3 8h.01M8 8h.01M13 8h.01" stroke-width="3"/>`,
};
// which icon stands for an act of the contract; `acts` are listed in the schema of a card
const MEANS = { draw: "draw", discard: "discard", pull: "pull", take: "pull", give: "give", steal: "steal", destroy: "destroy", sacrifice: "sacrifice", revive: "heart", heal: "heart", search: "search", look: "look", swap: "swap",
  shield: "shield", attack: "sword", bonus: "bonus", malus: "malus", play: "play", roll: "dice", stop: "stop", skip: "skip", lose: "less", gain: "more", flee: "flee", turn: "turn", wish: "wish" };
export const icon = (name, size = 16, extra = "") => `<svg class="ic" width="${size}" height="${size}" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" ${extra}>${ICON[name]}</svg>`;

const CLASS = {                                          // emblems, 16 x 16, filled
  fighter: "M2 12.5 8.5 6 7 4.5C9 2 12 1.5 14.5 2.5 15 5 14 8 11.5 9.5L10 8l-6.5 6.5z", guardian: "M8 1l6 2v5c0 4-3 6-6 7.5C5 14 2 12 2 8V3z",
  ranger: "M8 .5 13 7h-3v8.5H6V7H3z", thief: "M.8 5.5C4 4 6 4.5 8 6c2-1.5 4-2 7.2-.5-.2 4-2 6-4.2 6-1.5 0-2.3-1-3-2.2-.7 1.2-1.5 2.2-3 2.2-2.2 0-4-2-4.2-6z",
  wizard: "M8.5.5 12 10h3v3.5H1V10h3z", bard: "M5.5 2 13.5.8v9.7a2.6 2.6 0 1 1-1.9-2.5V4L7.4 4.7v7.5a2.6 2.6 0 1 1-1.9-2.5z",
};
export const emblem = (c, size = 16) => `<svg class="em" width="${size}" height="${size}" viewBox="0 0 16 16" aria-hidden="true"><path d="${CLASS[c]}" fill="currentColor"/></svg>`;

const HEADS = { fighter: "M-14-13q14-5 28 0 3 14-2 24-12 8-24 0-5-10-2-24z", guardian: "M-14-13Q0-18 14-13V2Q12 14 0 18-12 14-14 2z", ranger: "M-15-11Q0-19 15-11 14 6 0 18-14 6-15-11z",
  thief: "M0-14c11 0 18 7 18 15S10 15 0 15-18 9-18 1-11-14 0-14z", wizard: "M0-17c9 0 13 10 14 18S8 16 0 16-15 9-14 1-9-17 0-17z", bard: "M0-15a16 16 0 1 1 0 32 16 16 0 0 1 0-32z" };
function mask(id, cls, a, b) {                            // a being: head by class, the rest by id
  const h = hash(id), e = pick(h, 0, 6), y = pick(h, 5, 5), m = pick(h, 9, 5), k = cls === "thief" ? 4 : pick(h, 13, 4), p = P.paper;
  const both = s => s + `<g transform="scale(-1 1)">${s}</g>`;
  const ears = [`<circle cx="12" cy="-13" r="7" fill="${a}"/><circle cx="12" cy="-13" r="3.5" fill="${b}"/>`, `<g transform="rotate(12 8 -10)"><ellipse cx="8" cy="-20" rx="4.5" ry="11" fill="${a}"/><ellipse cx="8" cy="-19" rx="2" ry="7.5" fill="${b}"/></g>`,
    `<path d="M3-12 15.5-25 17-6z" fill="${a}"/><path d="M8-13l6-6.5.5 9z" fill="${b}"/>`, `<path d="M8-12c2-6 8-4 9-13 5 8 1 16-6 17z" fill="${b}" stroke="${a}" stroke-width="1.5"/>`,
    `<ellipse cx="17" cy="-3" rx="5" ry="11" transform="rotate(-18 17 -3)" fill="${a}"/><ellipse cx="17.5" cy="-1" rx="2.2" ry="6.5" transform="rotate(-18 17 -3)" fill="${b}"/>`, `<path d="M0-12 2-24 6-17 11-22 11-15 17-16 13-8z" fill="${a}"/>`][e];
  const eyes = [`<circle cx="6" cy="-2" r="2.6" fill="${p}"/>`, `<circle cx="6" cy="-2" r="4.2" fill="${p}"/><circle cx="5.4" cy="-1.6" r="2" fill="${a}"/>`, `<path d="M2-3h9a4.5 4.5 0 0 1-9 0z" fill="${p}"/><circle cx="6" cy="-2" r="1.5" fill="${a}"/>`,
    `<path d="M2 0Q6-6 11-3 8 1 2 0z" fill="${p}"/>`, `<path d="M2.5-1q3.5-5 7 0" fill="none" stroke="${p}" stroke-width="2.2" stroke-linecap="round"/>`][y];
  const mouth = [`<path d="M-2.8 4h5.6L0 7z" fill="${b}"/><path d="M-5 9.5Q-2.5 12 0 9q2.5 3 5 .5" fill="none" stroke="${p}" stroke-width="1.8" stroke-linecap="round"/>`, `<path d="M0 2 5 6.5 0 13-5 6.5z" fill="${b}"/><path d="M-5 6.5H5" stroke="${a}" stroke-width="1.4"/>`,
    `<path d="M-6 6q6 8 12 0" fill="${p}"/>`, `<ellipse cy="7.5" rx="7" ry="5" fill="${b}"/><circle cx="-2.5" cy="7" r="1.2" fill="${a}"/><circle cx="2.5" cy="7" r="1.2" fill="${a}"/>`, `<path d="M-6 7H6" stroke="${p}" stroke-width="2" stroke-linecap="round"/><path d="M-3 7h3l-1.5 4zM2 7h3L3.5 11z" fill="${p}"/>`][m];
  const marks = ["", `<path d="M0-13 3-8.5 0-5-3-8.5z" fill="${b}"/>`, both(`<circle cx="10" cy="5" r="2.2" fill="${b}"/>`), `<path d="M-5-12v5M0-13v6M5-12v5" stroke="${b}" stroke-width="2" stroke-linecap="round"/>`, `<path d="M-17-5Q0-10 17-5V3Q9 6 0 1-9 6-17 3z" fill="${b}"/>`][k];
  const onBand = k === 4 ? eyes.replaceAll(p, a).replaceAll(`r="2" fill="${a}"`, `r="2" fill="${b}"`) : eyes;
  return both(ears) + `<path d="${HEADS[cls] || HEADS.bard}" fill="${a}"/>` + marks + both(onBand) + mouth;
}
function beast(id, a, b) {                               // a monster: spikes, eyes and teeth by id
  const h = hash(id), n = 9 + pick(h, 0, 6), eyes = 1 + pick(h, 17, 4), r = [];
  for (let i = 0; i < n * 2; i++) { const t = Math.PI * i / n - Math.PI / 2, d = i % 2 ? 15.5 : 19 + pick(h, i % 9, 5); r.push((Math.cos(t) * d * 1.15).toFixed(1) + " " + (Math.sin(t) * d).toFixed(1)); }
  const e = Array.from({ length: eyes }, (_, i) => { const x = (i - (eyes - 1) / 2) * (eyes > 2 ? 8.5 : 11), y = -4 - (eyes > 2 && i % 2 ? 4 : 0), s = eyes === 1 ? 6 : eyes === 2 ? 4.6 : 3.6; return `<circle cx="${x}" cy="${y}" r="${s}" fill="${P.paper}"/><path d="M${x} ${y - s * .75}q${s * .5} ${s * .75} 0 ${s * 1.5}q${-s * .5} ${-s * .75} 0 ${-s * 1.5}z" fill="${a}"/>`; }).join("");
  const w = 3 + pick(h, 11, 3), teeth = Array.from({ length: w }, (_, i) => `<path d="M${-9 + 18 * i / w} 5.5h${18 / w}l${-9 / w} 6z" fill="${P.paper}"/>`).join("");
  return `<path d="M${r.join("L")}z" fill="${b}"/><path d="M-10.5 5.5H10.5Q8 14 0 14T-10.5 5.5z" fill="${a}"/>${teeth}${e}`;
}
const THING = {
  ring: (a, b) => `<circle cy="5" r="11" fill="none" stroke="${a}" stroke-width="5"/><path d="M-7-10-4-16H4L7-10 0-3z" fill="${b}" stroke="${a}" stroke-width="2"/>`, coin: (a, b) => `<circle r="14" fill="${a}"/><circle r="10" fill="none" stroke="${b}" stroke-width="2"/><path d="M0-6 5 0 0 6-5 0z" fill="${b}"/>`,
  key: (a, b) => `<circle cy="-9" r="7" fill="none" stroke="${a}" stroke-width="4.5"/><path d="M0-2V16M0 9h6M0 15h6" stroke="${a}" stroke-width="4.5"/>`, doll: (a, b) => `<circle cy="-9" r="7" fill="${a}"/><path d="M-9 16Q-8-2 0-2T9 16z" fill="${a}"/><path d="M-3-10l2 2M-1-10l-2 2M2-9h3" stroke="${b}" stroke-width="1.6"/><path d="M0 2v10M-3 5h6M-3 9h6" stroke="${b}" stroke-width="1.6"/>`,
  headgear: (a, b) => `<path d="M-16 8H16V13H-16zM-11 6Q-10-12 2-14 12-8 11 6z" fill="${a}"/><path d="M-11 2H11V6H-11z" fill="${b}"/>`, armor: (a, b) => `<path d="M-14-12-6-15Q0-9 6-15L14-12 12-2 9-3V15H-9V-3l-3 1z" fill="${a}"/><path d="M0-6V12M-4 0H4" stroke="${b}" stroke-width="2.5"/>`,
  footgear: (a, b) => `<path d="M-9-15H2V2Q14 4 14 12H-9z" fill="${a}"/><path d="M-9 9H14V13H-9zM-9-15H2v4H-9z" fill="${b}"/>`, hand: (a, b) => `<path d="M12-17 5 6 0 4-2-1z" fill="${a}"/><path d="M-8 1 6 9M-4 7l-6 9" stroke="${a}" stroke-width="4.5" stroke-linecap="round"/><path d="M10-12 2 2" stroke="${b}" stroke-width="1.8"/>`,
  jar: (a, b) => `<path d="M-9-15H9V-10H-9zM-12-7H12V15H-12z" fill="${a}"/><path d="M-8 2H8V11H-8z" fill="${b}"/>`, bomb: (a, b) => `<circle cy="4" r="13" fill="${a}"/><path d="M5-8 9-16q6-2 7 3" fill="none" stroke="${a}" stroke-width="3.5"/><circle cx="-4" cy="0" r="3" fill="${b}"/><path d="M16-16l2-3M18-12h3" stroke="${a}" stroke-width="2"/>`, flask: (a, b) => `<path d="M-4-16H4V-6Q13 2 12 10T0 16-12 10 -4-6z" fill="${a}"/><path d="M-9 6Q-4 2 0 6T9 6Q10 13 0 13T-9 6z" fill="${b}"/>`, parcel: (a, b) => `<path d="M-14-8H14V14H-14z" fill="${a}"/><path d="M-2-8H3V14H-2z" fill="${b}"/><path d="M0-8Q-10-18-12-11T0-8Q10-18 12-11T0-8z" fill="${b}" stroke="${a}" stroke-width="1.5"/>`,
};
const thing = (c, a, b) => { const id = c.id; if (c.grants_class) return mask("mask-" + c.grants_class, c.grants_class, ...INK[c.grants_class]);
  const k = /ring/.test(id) ? "ring" : /coin|gold/.test(id) ? "coin" : /key/.test(id) ? "key" : /doll/.test(id) ? "doll" : c.slot && THING[c.slot] ? c.slot : c.kind === "one_shot" ? ["flask", "jar", "bomb"][hash(id) % 3] : "parcel"; return c.kind === "one_shot" ? `<g transform="rotate(${pick(hash(id), 6, 31) - 15})">${THING[k](a, TINT[pick(hash(id), 12, 6)])}</g>` : THING[k](a, TINT[pick(hash(id), 12, 6)]); };
const star = (n, R, r) => "M" + Array.from({ length: n * 2 }, (_, i) => { const t = Math.PI * i / n - Math.PI / 2, d = i % 2 ? r : R; return (Math.cos(t) * d).toFixed(1) + " " + (Math.sin(t) * d).toFixed(1); }).join("L") + "z";
const sign = n => (n > 0 ? "+" + n : n < 0 ? "−" + -n : "0");

const KIND = { hero: "being", leader: "being", creature: "being", item: "thing", cursed_item: "thing", ride: "thing", one_shot: "thing", magic: "once", curse: "once", crush: "once", enhancer: "once", event: "once", citizenship: "once", modifier: "number", challenge: "answer", shield: "answer", monster: "night" };
const once = (h, R, r) => `<g transform="rotate(${pick(h, 3, 30)})"><path d="${star(9 + pick(h, 0, 7), R, r - pick(h, 8, 5))}" fill="BB"/></g>`;
const OWN = { citizenship: "town", dual_citizenship: "towns", go_up_a_level: "level", curse: "skull", wandering_monster: "wander", enhancer: "stronger", ride_enhancer: "stronger" };  // a sign for the kind says more than its act
const PLACE = { entrance: "M-14 18V-6a14 14 0 0 1 28 0v24zM-3 18V6h6v12z", corridor: "M-6-22H6V-6H22V6H6V22H-6V6H-22V-6H-6z", exit: "M-14-20H6V-8H-2V8H6V20H-14zM2-3h10v-7l12 10-12 10V3H2z" };
export function face(c, game = "here_to_slay") {
  if (game === "mau_mau" && /_/.test(c.id)) return playingCard(c);
  if (game === "monster_combat" && c.kind !== "monster") return combatCard(c);
  const name = typeof c.name === "string" ? c.name : c.name?.en ?? c.id;
  const kind = KIND[c.kind] || (c.comfort || c._list === "monsters" ? "night" : /shield/.test(c.id) ? "answer" : "once");
  const ink = INK[c.class] || (c.tags?.includes("undead") && INK.undead) || (c.tags?.includes("demon") && INK.demon) || INK[{ cursed_item: "cursed", curse: "cursed", item: "thing", one_shot: "thing", ride: "thing", magic: "magic", modifier: "modifier", challenge: "answer", monster: "monster", creature: "creature", crush: "crush", enhancer: "demon" }[c.kind]] || INK[kind === "night" ? "monster" : kind === "answer" ? "answer" : "magic"];
  const [a, b] = ink === INK.monster ? [ink[0], TINT[hash(c.id) % TINT.length]] : ink, dark = kind === "night" || kind === "answer";
  const need = c.roll ? (c.roll.min != null ? c.roll.min + "+" : c.roll.max + "−") : c.slay ? (c.slay.min != null ? c.slay.min + "+" : c.slay.max + "−") : c.cost != null ? String(c.cost) : c.level != null ? String(c.level) : c.number != null ? String(c.number) : c.bonus != null ? sign(c.bonus) : c.strength != null ? String(c.strength) : "";
  const life = c.life ?? c.hearts, foot_ = kind === "night" ? P.ink : a;
  const acts = [...new Set((c.acts || []).map(act => MEANS[act] || "all"))], does = acts.slice(0, c.slay ? 1 : 3);
  const strip = dark ? "#FBFAF3" : a, sign_ = c.comfort || PLACE[c.kind] ? "#FBFAF3" : kind === "night" ? P.ink : strip, // their ground is dark down to the foot
     pic = s => `<g transform="translate(32 42)">${s}</g>`;
  let body;
  if (kind === "being") body = `<path d="M7 63V36a25 25 0 0 1 50 0V63z" fill="${b}" opacity=".55"/><g transform="translate(32 ${c.kind === "leader" ? 49 : 45})">${mask(c.id, c.class, a, b)}</g>` + (c.kind === "leader" ? `<path d="M0 0H64V19l-8-5-8 5-8-5-8 5-8-5-8 5-8-5-8 5z" fill="${a}"/>` : "");
  else if (kind === "night") body = `<path d="M0 0H64V${c.comfort ? "88H0z" : "62l-6.4 5-6.4-5-6.4 5-6.4-5-6.4 5-6.4-5-6.4 5-6.4-5-6.4 5L0 62z"}" fill="${a}"/>` + pic(c.comfort ? grid(c.comfort, b) : beast(c.id, a, b));
  else if (kind === "thing") body = `<path d="M${c.kind === "cursed_item" ? "8 62V26l6-4-3-5 8 2 3-5 6 4h26V62l-5-4-6 4-6-4-6 4-6-4-6 4-6-4z" : "8 62V30L22 16H56V62z"}" fill="${b}" opacity=".6"/><circle cx="50" cy="22" r="2.2" fill="${P.paper}" stroke="${a}"/>` + pic(`<g transform="translate(0 2) scale(.95)">${thing(c, a, b)}</g>`);
  else if (kind === "number") { const o = c.options; body = o.length === 1 ? `<rect width="64" height="88" fill="${o[0] > 0 ? PLUS : MINUS}"/><text x="32" y="55" font-size="35" font-weight="800" text-anchor="middle" fill="${P.ink}">${sign(o[0])}</text>`
    : `<path d="M0 0H64L0 88z" fill="${PLUS}"/><path d="M64 0V88H0z" fill="${MINUS}"/><text x="21" y="36" font-size="25" font-weight="800" text-anchor="middle" fill="${P.ink}">${sign(o[0])}</text><text x="39" y="75" font-size="24" font-weight="800" text-anchor="middle" fill="${P.ink}">${sign(o[1])}</text>`; }
  else if (kind === "answer") body = `<rect width="64" height="88" fill="${P.ink}"/>` + (/challenge/.test(c.id) ? `<g transform="translate(32 40)"><path d="${star(12, 25, 18)}" fill="${P.paper}"/><path d="M-4-13H4L2.5 3h-5z" fill="${P.ink}"/><circle cy="9" r="3.6" fill="${P.ink}"/></g>` : `<g transform="translate(8 16) scale(3)" fill="none" stroke="${P.paper}" stroke-width="1.5" stroke-linejoin="round">${ICON.shield}</g>`);
  else if (PLACE[c.kind]) body = `<rect width="64" height="88" fill="${INK.monster[0]}"/>` + pic(`<path d="${PLACE[c.kind]}" fill="${INK.monster[1]}" fill-rule="evenodd"/>`);
  else body = `<g transform="translate(32 40)">${once(hash(c.id), 27, 22).replace("BB", c.kind === "magic" ? b : TINT[hash(c.id + "i") % TINT.length])}</g>` + `<g transform="translate(${32 - 16} ${40 - 16}) scale(2)" fill="none" stroke="${a}" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">${ICON[OWN[c.kind] || does[0] || "play"]}</g>`;
  const top = need ? `<path d="M0 0H${need.length > 2 ? 27 : need.length > 1 ? 23 : 19}V14a5 5 0 0 1-5 5H0z" fill="${dark ? P.paper : a}"/><text x="${need.length > 2 ? 13 : need.length > 1 ? 11 : 9}" y="14.5" text-anchor="middle" font-size="14" font-weight="800" fill="${dark ? P.ink : P.paper}">${need}</text>` : "";
  const right = c.class ? `<g transform="translate(${c.kind === "leader" ? "26 1.5) scale(.75" : "45 3"})" fill="${c.kind === "leader" ? P.paper : a}"><path d="${CLASS[c.class]}"/></g>` : c.treasures ? `<text x="46" y="15" text-anchor="end" font-size="13" font-weight="800" fill="${P.paper}">${c.treasures}</text><g transform="translate(48 3.5) scale(.8)" fill="none" stroke="${P.paper}" stroke-width="1.8">${ICON.treasure}</g>` : "";
  const req = c.requires && Array.isArray(c.requires) ? `<g transform="translate(${61 - c.requires.length * 9} 4)">${c.requires.map((r, i) => `<g transform="translate(${i * 9} 0) scale(.5)" fill="${P.paper}">${CLASS[r] ? `<path d="${CLASS[r]}"/>` : `<circle cx="8" cy="8" r="6"/>`}</g>`).join("")}</g>` : "";
  const worth = c.gold && !does.length ? `<g fill="none" stroke="${a}" stroke-width="1.6"><circle cx="20" cy="75.5" r="5"/><path d="M20 73v5"/></g><text x="28" y="80" font-size="12.5" font-weight="800" fill="${a}">${c.gold}</text>` : "";
  const foot = worth ? worth : kind === "number" || kind === "answer" ? "" : c.attack != null && life != null ? `<g font-size="14" font-weight="800" fill="${foot_}"><text x="22" y="81" text-anchor="end">${c.attack}</text><text x="53" y="81" text-anchor="end">${life}</text></g><g fill="none" stroke="${foot_}" stroke-width="1.7" stroke-linecap="round"><g transform="translate(3 70) scale(.75)">${ICON.sword}</g><g transform="translate(33 70) scale(.75)">${ICON.heart}</g></g>`
    : `<g transform="translate(${32 - does.length * 9.5 + 1.5} 67.5)" color="${sign_}" fill="none" stroke="${sign_}" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">${does.map((d, i) => `<g transform="translate(${i * 19} 0)">${ICON[d]}</g>`).join("")}</g>`;
  return `<svg class="face" viewBox="0 0 64 88" role="img" aria-label="${name.replace(/"/g, "&quot;")}"><g clip-path="inset(0 round 6px)"><rect width="64" height="88" fill="${P.paper}"/>${body}${top}${right}${req}${foot}</g><rect x=".75" y=".75" width="62.5" height="86.5" rx="5.5" fill="none" class="edge" stroke-width="1.5"/></svg>`;
}
const nameOf = c => (typeof c.name === "string" ? c.name : c.name?.en ?? c.id).replace(/"/g, "&quot;");
const sheet = (c, body, paper = P.paper) => `<svg class="face" viewBox="0 0 64 88" role="img" aria-label="${nameOf(c)}"><g clip-path="inset(0 round 6px)"><rect width="64" height="88" fill="${paper}"/>${body}</g><rect x=".75" y=".75" width="62.5" height="86.5" rx="5.5" fill="none" class="edge" stroke-width="1.5"/></svg>`;
// Mau-Mau: suit and rank, large; German letters are the words' business, so ranks of the court are drawn by a mark of their own
const SUIT = { hearts: ["#B3201A", "M0 17C-12 8-19 1-19-8A9.500 9.500 0 0 1 0-11 9.500 9.500 0 0 1 19-8C19 1 12 8 0 17z"], diamonds: ["#B3201A", "M0-20 15 0 0 20-15 0z"], spades: ["#16211F", "M0-20C4-12 18-4 18 5A8.500 8.500 0 0 1 3.500 9.500Q4 15 8 19H-8Q-4 15-3.500 9.500A8.500 8.500 0 0 1-18 5C-18-4-4-12 0-20z"], clubs: ["#16211F", "M0-20A9 9 0 0 1 7.500-6 9 9 0 1 1 4 8Q4 15 8 19H-8Q-4 15-4 8A9 9 0 1 1-7.500-6 9 9 0 0 1 0-20z"] };
const COURT = { jack: "M-15 12V4Q-9-2-15-9-5-12 0-6 5-12 15-9 9-2 15 4V12z", queen: "M-15 12-17-8-8-1 0-13 8-1 17-8 15 12z", king: "M-16 12-18-10-10-3-6-13 0-4 6-13 10-3 18-10 16 12zM-3-13h6M0-18v8" };
const LETTER = { jack: ["J", "B"], queen: ["Q", "D"], king: ["K", "K"], ace: ["A", "A"] };
function playingCard(c) {
  const [suit, rank] = c.id.split("_"), [ink, path] = SUIT[suit] || SUIT.spades, german = /^[A-Z]\p{L}*-/u.test(nameOf(c));
  const letter = LETTER[rank]?.[german ? 1 : 0] ?? rank;
  const act = c.acts?.[0] ? `<g transform="translate(40 65) scale(1.15)" fill="none" stroke="${ink}" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">${ICON[MEANS[c.acts[0]]]}</g>` : "";
  const court = COURT[rank] ? `<g transform="translate(42 19) scale(.62)" fill="${ink}" stroke="${ink}" stroke-width="2" stroke-linejoin="round"><path d="${COURT[rank]}"/></g>` : `<g transform="translate(49 17) scale(.4)" fill="${ink}"><path d="${path}"/></g>`;
  return sheet(c, `<text x="5" y="28" font-size="29" font-weight="800" letter-spacing="-1.500" fill="${ink}">${letter}</text>${court}<g transform="translate(${act ? 27 : 32} 55) scale(${act ? 1.05 : 1.25})" fill="${ink}"><path d="${path}"/></g>${act}`);
}
// Monster Combat: one large sign per card; events lie on a dark ground, the backs of the deck are said in words
const COMBAT = { sword: ["sword", "fighter"], shield: ["shield", "guardian"], life_back: ["heart", "ranger"], thief_1: ["mask", "thief"], thief_2: ["mask", "thief"], lightning: ["bolt", "demon"], skip: ["skip", "bard"], trigger: ["play", "magic"],
  all_hearts_back: ["heart", "ranger"], immune: ["shield", "guardian"], discard_hand: ["discard", "thing"], attacked: ["sword", "fighter"], change_direction: ["turn", "bard"], life_card: ["heart", "ranger"], monster_life_card: ["heart", "demon"], marker_card: ["all", "thing"] };
function combatCard(c) {
  const [sign, ink] = COMBAT[c.id] || ["all", "thing"], [a, b] = INK[ink], isEvent = c.kind === "event", line = isEvent ? b : a;
  const big = (x, y, s) => `<g transform="translate(${x} ${y}) scale(${s})" fill="${sign === "heart" || sign === "bolt" || sign === "mask" ? line : "none"}" stroke="${line}" stroke-width="1.600" stroke-linecap="round" stroke-linejoin="round">${ICON[sign]}</g>`;
  const ground = isEvent ? `<rect width="64" height="88" fill="${P.ink}"/><g transform="translate(32 44)"><path d="${star(14, 30, 25)}" fill="none" stroke="${b}" stroke-width="1.500"/></g>` : `<path d="M8 ${sign === "sword" || sign === "bolt" ? "14 56 8V72L8 80z" : "12H56V78H8z"}" fill="${b}" opacity=".65"/>`;
  const two = c.id === "thief_2" || c.id === "lightning" ? `<text x="32" y="82" text-anchor="middle" font-size="17" font-weight="800" fill="${a}">${c.id === "thief_2" ? "2" : ""}</text>` : c.id === "thief_1" ? `<text x="32" y="82" text-anchor="middle" font-size="17" font-weight="800" fill="${a}">1</text>` : "";
  const lift = two ? 6 : 0;
  return sheet(c, `${ground}${big(32 - 8 * (isEvent ? 2.1 : 2.7), 44 - lift - 8 * (isEvent ? 2.1 : 2.7), isEvent ? 2.1 : 2.7)}${two}`);
}
function grid(c, b) {                                    // Shy Monsters: where it feels at home
  let s = ""; for (let y = -1; y <= 1; y++) for (let x = -1; x <= 1; x++) { const is = l => (l || []).some(o => o[0] === x && o[1] === y), me = !x && !y;
    s += `<g transform="translate(${x * 14} ${y * 14})">` + (me ? `<rect x="-6" y="-6" width="12" height="12" rx="3" fill="${P.paper}"/><path d="M-2.5-1h.01M2.5-1h.01" stroke="${P.ink}" stroke-width="2.6" stroke-linecap="round"/><path d="M-2 2.5q2 1.5 4 0" stroke="${P.ink}" fill="none" stroke-width="1.3"/>` : is(c.must) ? `<rect x="-6" y="-6" width="12" height="12" rx="2" fill="${b}"/>` : is(c.must_not) ? `<path d="M-4-4 4 4M4-4-4 4" stroke="#FF9C86" stroke-width="2.6" stroke-linecap="round"/>` : `<circle r="1.6" fill="${b}" opacity=".6"/>`) + `</g>`; } return s; }
export const back = (h = 0) => `<svg class="face" viewBox="0 0 64 88" aria-hidden="true"><rect x=".75" y=".75" width="62.5" height="86.5" rx="6" fill="#1D4D40" stroke="${P.ink}" stroke-width="1.5"/><rect x="6" y="6" width="52" height="76" rx="3" fill="none" stroke="#FBFAF3" stroke-width="1.5"/><path d="M20 6V82M32 6V82M44 6V82" stroke="#FBFAF3" stroke-width="5" opacity=".9"/></svg>`;
