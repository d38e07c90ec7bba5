// What golden.json says of golden.bundle: `node golden.mjs`. It shares no line with the program, nor its language.
import { createHash, createHmac, createPublicKey, hkdfSync, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const here = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const lines = here("golden.bundle").trimEnd().split("\n").map((line) => JSON.parse(line));
const of = (kind) => lines.filter((line) => line.kind === kind);
const sha = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hmac = (key, text) => createHmac("sha256", key).update(text).digest();
const hkdf = (secret, info) => Buffer.from(hkdfSync("sha256", secret, Buffer.alloc(0), info, 32));
const bytes = (text) => Buffer.from(text, "base64");
const match = lines[0].match;

// the root over the first n leaves, straight from the definition (RFC 9162, 2.1.1)
const leaves = of("entry").map((entry) => sha(Buffer.from([0]), entry.envelope));
function root(from, to) {
  if (to - from === 1) return leaves[from];
  let split = 1;
  while (split * 2 < to - from) split *= 2;
  return sha(Buffer.from([1]), root(from, from + split), root(from + split, to));
}
const roots = leaves.map((_, at) => root(0, at + 1).toString("hex"));

const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), bytes(of("key")[0].public)]);
const key = createPublicKey({ key: spki, format: "der", type: "spki" });
function signed(note) {
  const [text, signatures] = note.split("\n\n");
  return verify(null, Buffer.from(text + "\n"), key, bytes(signatures.trimEnd().split(" ")[2]).subarray(4));
}
const receipts = here("golden.receipts").split(/(?<=\n)\n(?=[^\u2014])/).filter((note) => note.trim());
const told = receipts.map((note) => note.split("\n"));

const opened = of("entry").every(({ envelope, parts }) =>
  parts.every(({ who, salt, part }) => JSON.parse(envelope).commitments[who] === sha(bytes(salt), part).toString("hex")));
const secrets = of("secret").map(({ secret }) => bytes(secret));
const commitments = secrets.map((secret) => sha("referee/v1/commitment|", secret).toString("hex"));
const salts = of("draw").map(({ version, generation }) =>
  hmac(hkdf(secrets[generation], "referee/v1/salt"), `v1|${match}|${version}|full`).toString("base64"));

const draws = of("draw").map(({ version, generation, purpose, below }) => {
  const stream = hkdf(secrets[generation], `referee/v1/draw/${purpose}`), none = sha("").toString("hex");
  const numbers = [];
  for (let block = 0; numbers.length < 2 * below.length + 8; block++) {
    const found = hmac(stream, `v1|${match}|${version}|${block}|${none}`);
    for (let at = 0; at < 32; at += 8) numbers.push(found.readBigUInt64BE(at));
  }
  return below.map((n) => {
    for (;;) {
      const number = numbers.shift();
      if (number < (2n ** 64n / BigInt(n)) * BigInt(n)) return Number(number % BigInt(n));
    }
  });
});
const notes = receipts.map((note, at) =>
  signed(note.endsWith("\n") ? note : note + "\n") && bytes(told[at][2]).toString("hex") === roots[told[at][1] - 1]);
console.log(JSON.stringify({
  match, roots, checkpoint: signed(of("checkpoint")[0].note), receipts: notes.length, all_signed: notes.every(Boolean),
  opened, commitments, salts, draws,
}, null, 1));
