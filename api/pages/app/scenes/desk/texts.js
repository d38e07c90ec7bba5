// @ts-check
// The texts of the arbiter's desk, German and English. They come with the scene: whoever plays loads none of them.
import { TEXTS } from "../../texts.js";

Object.assign(TEXTS, /** @type {typeof TEXTS} */ ({
  desk_table: ["Der Tisch", "The table"],
  desk_one_open: ["Ein offener Streit", "One open dispute"],
  desk_open: ["{n} {n|offener Streitfall|offene Streitfälle}", "{n} open {n|dispute|disputes}"],
  desk_none: ["Auf diesem Gerät ist kein Amt gespeichert. Öffne den Link, mit dem dich der Gastgeber als Schiedsrichter einlädt.", "This device holds no office. Open the link by which the host invites you as arbiter."],
  desk_decides: ["Alle haben dich angenommen: Du entscheidest, wenn der Tisch sich nicht einigt.", "Everybody has accepted you: you decide if the table does not agree."],
  desk_waits: ["Noch nicht angenommen von: {names}", "Not yet accepted by: {names}"],
  desk_office_none: ["Du spielst hier mit oder bist kein Schiedsrichter mehr.", "You play here, or are no arbiter any more."],
  desk_called: ["Der Tisch ruft dich", "The table calls you"],
  desk_calm: ["Kein offener Streit.", "No open dispute."],
  desk_verdict: ["Wie entscheidest du?", "What is your ruling?"],
  desk_stands: ["Es war richtig so", "It was right"],
  desk_not_stands: ["Es war falsch", "It was wrong"],
  desk_and_now: ["Und was geschieht?", "And what happens?"],
  desk_reason: ["Begründung, für alle zu lesen", "Reason, for all to read"],
  desk_keep: ["Gilt an diesem Tisch ab jetzt als Hausregel", "From now on a house rule of this table"],
  desk_rule: ["So entscheiden", "Rule like this"],
  desk_void_sure: ["Die Partie zählt dann für niemanden. Wirklich?", "The match will count for nobody then. Really?"],
  desk_undo: ["Noch einmal anders entscheiden", "Rule on it again"],
  desk_precedents: ["Hausregeln dieses Tischs", "House rules of this table"],
  desk_deviations: ["Vermerkte Abweichungen", "Recorded deviations"],
  desk_nothing: ["Bisher keine.", "None so far."],
}));
