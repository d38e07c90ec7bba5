// @ts-check
// Who had not agreed when a match left a server during play, read from seats, questions and answers alone.

/** @typedef {import("./bundle.js").Line} Line */
const KINDS = ["MatchOpened", "SettingsChanged", "Started", "SeatTaken", "SeatLeft", "BotSeated", "TransferProposed", "TransferConsented", "TransferRefused", "MatchMoved"];

/** Return the entries by which it left without everybody's consent, with the seats. @param {import("./checks.js").BundleChecks} checks @returns {{version: number, seats: number[]}[]} */
export function findMissingConsents(checks) {
  /** @type {Set<number>} */
  const held = new Set(), granted = new Set();
  /** @type {number[]} */
  let withoutDevice = [];
  let asked = /** @type {Line | null} */ (null), runs = false; // the newest question, if nobody has refused
  const found = [];
  for (const { version, event } of checks.findEvents(...KINDS.map((kind) => `table.${kind}`))) {
    switch (event.type) {
      case "table.MatchOpened": case "table.SettingsChanged": {
        const chairs = Array.isArray(event.chairs) ? event.chairs : [];
        withoutDevice = chairs.flatMap((chair, seat) => (chair?.kind === "table" ? [seat] : []));
        break;
      }
      case "table.Started": runs = Boolean(checks.opened.later_scheme); break;
      case "table.SeatTaken": held.add(event.seat); break;
      case "table.BotSeated": withoutDevice = withoutDevice.filter((seat) => seat !== event.seat); // and nobody holds it
      case "table.SeatLeft": held.delete(event.seat); granted.delete(event.seat); break;
      case "table.TransferProposed": asked = event; granted.clear(); break;
      case "table.TransferRefused": asked = event.transfer === asked?.transfer ? null : asked; break;
      case "table.TransferConsented":
        if (asked && event.transfer === asked.transfer && Array.isArray(event.by)) event.by.forEach((/** @type {number} */ seat) => granted.add(seat));
        break;
      case "table.MatchMoved": {
        const isAgreed = asked !== null && asked.new_home === event.new_home && asked.to === event.to;
        const seats = [...new Set([...held, ...withoutDevice])].filter((seat) => !isAgreed || !granted.has(seat)).sort((one, other) => one - other);
        if (runs && seats.length > 0 && held.size + (withoutDevice.length ? 1 : 0) > 1) found.push({ version, seats });
        asked = null;
      }
    }
  }
  return found;
}
