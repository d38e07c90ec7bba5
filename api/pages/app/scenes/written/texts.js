// @ts-check
// The texts of reports on free texts, German and English. They come when a card first asks for a report.
import { TEXTS } from "../../texts.js";

Object.assign(TEXTS, /** @type {typeof TEXTS} */ ({
  written_kind: ["Was ist geschehen?", "What has happened?"],
  written_move: ["Eine Karte kommt woandershin", "A card goes somewhere else"],
  written_draw: ["Jemand zieht Karten", "Somebody draws cards"],
  written_set: ["Eine Zahl ändert sich", "A number changes"],
  written_from: ["Von", "From"],
  written_card: ["Karte", "Card"],
  written_to: ["Nach", "To"],
  written_top: ["Obendrauf statt darunter", "On top, not at the bottom"],
  written_who: ["Wer", "Who"],
  written_deck: ["Von welchem Stapel", "From which deck"],
  written_how_many: ["Wie viele", "How many"],
  written_what: ["Welche Zahl", "Which number"],
  written_value: ["Sie ist jetzt", "It is now"],
  written_down: ["Eine verdeckte Karte", "A card that lies face down"],
  written_add: ["Änderung aufschreiben", "Note this change"],
  written_remove: ["Streichen", "Strike it out"],
  written_done: ["Das war alles", "That was all"],
  written_more: ["So weit, danach geht es weiter", "So far, and there is more to come"],
  written_listed: ["Das ändert sich", "This changes"],
  written_drawn: ["{name} zieht {n}", "{name} draws {n}"],
  written_moved: ["{card}: {from} → {to}", "{card}: {from} → {to}"],
  written_set_to: ["{what}: {n}", "{what}: {n}"],
}));
