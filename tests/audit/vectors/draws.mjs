// Made the draws of draws.json: `node draws.mjs`. It shares no line with the program, nor its language.
import { createHash, createHmac, hkdfSync } from "node:crypto";

const secret = Buffer.from("efeddad589e6f7ddf886ff1ad7ec320b9510af000da28ea8a35c53c514dffc2b", "hex");
const match = "07-abcdefghijklmnopqrstuvwxyz";
const seeded = '[[0,"00112233445566778899aabbccddeeff"],[2,"ffeeddccbbaa99887766554433221100"]]';

function* stream(purpose, version, seeds) {
  const key = Buffer.from(hkdfSync("sha256", secret, Buffer.alloc(0), `referee/v1/draw/${purpose}`, 32));
  const hash = createHash("sha256").update(seeds).digest("hex");
  for (let block = 0; ; block++) {
    const found = createHmac("sha256", key).update(`v1|${match}|${version}|${block}|${hash}`).digest();
    for (let at = 0; at < 32; at += 8) yield found.readBigUInt64BE(at);
  }
}

function draw(purpose, version, seeds, below) {
  const numbers = stream(purpose, version, seeds);
  return below.map((text) => {
    const n = BigInt(text), beyond = (2n ** 64n / n) * n;
    for (;;) {
      const { value } = numbers.next();
      if (value < beyond) return String(value % n);
    }
  });
}

function shuffle(pile, gave) {
  const order = [...pile];
  gave.forEach((other, nth) => {
    const last = order.length - 1 - nth;
    [order[last], order[other]] = [order[other], order[last]];
  });
  return order;
}

const half = String(2n ** 63n + 1n), pile = [..."abcdefghijkl"];
const cases = [
  ["mc.RollAttack", 18, "", ["6", "6", "6"]],
  ["mc.RollAttack", 18, seeded, ["6", "6", "6"]],
  ["hts.Roll", 18, "", ["6", "6"]],
  ["mc.RollAttack", 19, "", Array(12).fill("20")],
  ["odd", 1, "", Array(9).fill(half)],
  ["Shuffle", 3, "", pile.slice(1).map((_, nth) => String(pile.length - nth))],
].map(([purpose, version, seeds, below]) => ({ purpose, version, seeds, below, gave: draw(purpose, version, seeds, below) }));
const last = cases.at(-1);
const shuffled = { pile, gave: last.gave.map(Number), order: shuffle(pile, last.gave.map(Number)) };
console.log(JSON.stringify({ match, secret: secret.toString("hex"), cases, shuffled }, null, 1));
