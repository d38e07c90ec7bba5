// @ts-check
// Who else vouches for the log that has the match: witnesses (C2SP tlog-cosignature), as far as their keys are known. A
// timestamp (RFC 3161) is looked at, and named as not judged: that takes certificates.
import { encodeText, fromBase64, hash, isSigned, splitLast, toHex } from "./bytes.js";

/** @typedef {import("./checks.js").BundleChecks} BundleChecks */

const DAY = 24 * 3600_000, LAST = 253_402_300_800, LATEST = 2n ** 63n, TIME = /\x18[\x0f-\x19](\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z/;

/** Judge the cosignatures of a checkpoint that the log has signed, and that has the match up to an entry. @param {BundleChecks} checks @param {string} note @param {string} origin @param {number} upto */
export function judgeCosignatures(checks, note, origin, upto) {
  const [text, lines] = splitLast(note, "\n\n");
  for (const line of lines.slice(0, -1).split("\n")) {
    const [, name = "", packed = ""] = line.split(" "), blob = fromBase64(packed), key = checks.witnesses.get(`${name} ${toHex(blob.subarray(0, 4))}`);
    if (!key) {
      if (name !== origin) checks.unknown.add(name);
      continue;
    }
    const at = blob.length === 76 ? new DataView(blob.buffer, blob.byteOffset).getBigUint64(4) : 0n;
    if (at >= LATEST || !isSigned(blob.subarray(12), encodeText(`cosignature/v1\ntime ${at}\n${text}\n`), key)) checks.addFinding("signature", "cosigned_wrong", null, { name });
    else if ((checks.log[upto - 1]?.envelope?.at ?? 0) > 1000 * Number(at) + DAY) checks.addFinding("time", "cosigned_early", upto, { name });
    else if (!checks.said.some(({ values }) => values.name === name && values.n === upto)) checks.said.push({ why: "witness", values: { name, n: upto, when: showTime(Number(at)) } });
  }
}

/** @param {number} at in seconds since 1970 */
const showTime = (at) => (at < LAST ? new Date(at * 1000).toISOString().slice(0, 19).replace("T", " ") : String(at));

/** Look whether a timestamp is over a checkpoint that is here. @param {BundleChecks} checks @param {import("./bundle.js").Line} line */
export function lookAtStamp(checks, { note, response }) {
  const bytes = toText(response), place = bytes.indexOf(toText(hash(note)));
  if (!checks.lines("published").some((line) => line.note === note)) checks.addFinding("published", "stamp_stray");
  else if (place < 0) checks.addFinding("signature", "stamp_other");
  else {
    const [, year, month, day, ...clock] = TIME.exec(bytes.slice(place)) ?? [], when = year ? `${year}-${month}-${day} ${clock.slice(0, 3).join(":")}` : "–";
    if (!checks.said.some(({ why, values }) => why === "stamp_unjudged" && values.when === when)) checks.said.push({ why: "stamp_unjudged", values: { when } });
  }
}

/** Return bytes as a text of as many characters, to search in. @param {Uint8Array} bytes */
const toText = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
