// @ts-check
// What a check has found, as a sentence: German, English.
import { language, t } from "../../lib/words.js";

/** @type {Record<string, [string, string]>} */
const SAYS = {
  base64: ["Eine Angabe in Base64 hat nicht ihre einzig richtige Form.", "Base64 is not in its one proper form."],
  unsigned: ["Ohne Unterschrift.", "There is no signature."],
  signature_line: ["Eine Unterschrift ist unleserlich.", "A signature line is malformed."],
  signature_wrong: ["Die Unterschrift passt nicht.", "The signature does not fit."],
  signed_by_nobody_known: ["Von keinem Schlüssel unterschrieben, für den etwas einsteht.", "Not signed by a key that is vouched for."],
  checkpoint_lines: ["Ein Prüfpunkt beginnt mit je einer Zeile für Herkunft, Anzahl und Wurzel und hat keine leere.", "A checkpoint begins with a line each for origin, size and root, and has no empty one."],
  checkpoint_elsewhere: ["Ein Prüfpunkt von {origin}, nicht von hier.", "A checkpoint of {origin}, not of this log."],
  cannot_unpack: ["Dieser Browser kann die Datei nicht entpacken.", "This browser cannot unpack the file."],
  too_long: ["Die Datei oder eine Zeile ist zu lang.", "The file or a line is too long."],
  damaged: ["Die Datei ist beschädigt.", "The file is damaged."],
  empty: ["Die Datei ist leer.", "The file is empty."],
  cut: ["Das Ende fehlt: Die Datei ist abgeschnitten.", "The end is missing: the file was cut."],
  after_end: ["Nach dem Ende folgt noch etwas.", "Something follows the end."],
  line_out_of_place: ["Diese Zeile gehört nicht hierher.", "This line does not belong here."],
  lines_missing: ["Vor dieser Zeile sollten {n} Zeilen stehen.", "{n} lines should stand before this one."],
  not_a_line: ["Das ist keine Zeile eines Bündels.", "This is no line of a bundle."],
  other_format: ["Das Format „{format}“ liest diese Seite nicht.", "This page does not read the format “{format}”."],
  other_fields: ["Angaben fehlen oder sind zu viel.", "Fields are missing, or too many."],
  field: ["Eine Angabe ist unleserlich.", "A field is malformed."],
  odd_shape: ["Der Inhalt lässt sich nicht prüfen.", "What it holds cannot be checked."],
  key_unnamed: ["Schlüssel {n} ist keiner oder wird von keinem früheren genannt.", "Key {n} is none, or is not named by one before it."],
  key_not_trusted: ["Keiner der Schlüssel ist einer, dem du vertraust, oder wird von einem solchen genannt.", "None of the keys is one that you trust, or is named by such a one."],
  stay_odd: ["Die Partie zieht um, wo sie es nicht kann.", "The match leaves or arrives where it cannot."],
  after_leaving: ["Nach dem Umzug geht die Partie hier weiter.", "The match goes on after it has left."],
  header_server: ["Der Kopf nennt einen anderen Server als den, auf dem die Partie liegt.", "The header names another server than the one where the match is."],
  arrival_keys: ["Schlüssel der Ankunft fehlen in der Datei.", "It arrives by keys that the file does not hold."],
  arrival_server: ["Sie wurde für einen anderen Server freigegeben.", "It was released for another server."],
  arrival_from: ["Sie kommt von einem anderen Server als dem, den sie verließ.", "It comes from another server than the one it left."],
  arrival_root: ["Was ankam, ist nicht, was aufgebrochen ist.", "What arrived is not what left."],
  departure_unsigned: ["Kein Prüfpunkt des alten Servers bestätigt den Umzug.", "No checkpoint of the old server confirms the move."],
  not_all_signed: ["Kein Prüfpunkt deckt alle {n} Einträge.", "No checkpoint covers all {n} entries."],
  checkpoint_of_other: ["Ein Prüfpunkt gehört zu einer anderen Partie.", "A checkpoint is of another match."],
  receipt_of_other: ["Eine Quittung gehört zu einer anderen Partie.", "A receipt is of another match."],
  no_envelope: ["Das ist kein Eintrag.", "This is no entry."],
  other_entry: ["Hier steht ein anderer Eintrag.", "Another entry stands here."],
  entries_missing: ["{most} Einträge wurden geschrieben, {n} sind hier.", "{most} entries were written, {n} are here."],
  header_other: ["Der Kopf nennt etwas anderes als der erste Eintrag ({field}).", "The header says something else than the first entry ({field})."],
  header_origin: ["Die Herkunft im Kopf gehört zu einer anderen Partie.", "The header's origin is that of another match."],
  root_wrong: ["Dieser Eintrag ist nicht, was geschrieben wurde, oder die Wurzel daneben nicht.", "This entry is not what was written, or the root beside it is not."],
  checkpoint_other: ["Der Prüfpunkt über {n} Einträge gehört zu anderen Einträgen.", "The checkpoint of {n} entries is of other entries."],
  rolled_back: ["Eine Quittung deckt {n} Einträge, hier sind {here}: Der Verlauf wurde zurückgedreht.", "A receipt covers {n} entries, {here} are here: the log was rolled back."],
  receipt_other: ["Eine Quittung über {n} Einträge passt nicht: Einer der beiden Verläufe wurde umgeschrieben.", "A receipt for {n} entries does not fit: one of the two histories was rewritten."],
  payload_other: ["Das Umzugsgut ist nicht das, mit dem die Partie aufbrach.", "The transfer payload is not the one the match left with."],
  part_other: ["Ein verdeckter Teil ist ein anderer als der festgelegte.", "A hidden part is another than the one committed to."],
  part_missing: ["Ein verdeckter Teil fehlt, oder es sind zu viele.", "A hidden part is missing, or there are too many."],
  commitment_undue: ["Hier wird ein Geheimnis festgelegt, wo keins fällig ist.", "A secret is committed to where none is due."],
  secret_twice: ["Ein Geheimnis steht zweimal da.", "A secret is given twice."],
  secret_other: ["Das Geheimnis fehlt oder ist nicht das festgelegte.", "The secret is missing, or not the one committed to."],
  salt_other: ["Das Salz eines verdeckten Teils ist ein anderes.", "The salt of a hidden part is another."],
  draw_twice: ["Eine Ziehung steht zweimal da.", "A draw is given twice."],
  draw_undue: ["Eine Ziehung fehlt, oder es steht eine da, wo keine fällig ist.", "A draw is missing, or one stands where none is due."],
  draw_other: ["Das Geheimnis ergibt andere Zahlen.", "The secret gives other numbers."],
  draw_move: ["Das ist nicht, was gezogen wurde, oder so wird nicht gezogen.", "This is not what was drawn, or not how to draw."],
  draws_over: ["Ziehungen zu Einträgen, die nicht hier sind.", "Draws for entries that are not here."],
  seed_other: ["Ein Startwert ist nicht der festgelegte.", "A seed is not the one committed to."],
  book_other: ["Das Kartenbuch ist nicht das, mit dem gespielt wurde.", "The card book is not the one played with."],
  published_elsewhere: ["Die veröffentlichte Wurzel liegt nicht dort, wo sie liegen soll.", "The published root does not lie where it is said to."],
  published_other: ["Veröffentlicht wurde die Wurzel anderer Einträge.", "What was published is of other entries."],
  no_key: ["Das ist kein Schlüssel.", "This is no key."],
};

/** Return what was found, with the entry or the line if it is about one. @param {import("./checks.js").Finding} finding */
export function describeFinding({ why, values, version }) {
  const [german, english] = SAYS[why] ?? [why, why], text = language() === "de" ? german : english;
  const said = text.replace(/\{(\w+)\}/g, (/** @type {string} */ whole, /** @type {string} */ name) => String(values[name] ?? whole));
  if (version !== null) return `${t("verify_entry", { n: version })} ${said}`;
  return values.line ? `${t("verify_line", { n: values.line })} ${said}` : said;
}
