// @ts-check
// What is said of the server's draws, German and English. It is loaded when somebody looks at the proof.
import { TEXTS } from "../texts.js";

Object.assign(TEXTS, /** @type {typeof TEXTS} */ ({
  draws_shared: ["An dem, was der Server würfelt und mischt, {n|ist|sind} {names} beteiligt: Niemand kann es frei bestimmen, auch der Server nicht.", "{names} {n|has|have} a share in what the server rolls and shuffles: nobody can choose it freely, not even the server."],
  root_words: ["Bei Eintrag {n} steht der Verlauf auf diesen vier Wörtern: {words}. Lest sie euch vor: Sind sie überall gleich, habt ihr alle denselben Verlauf gesehen.", "At entry {n} the history stands at these four words: {words}. Read them to each other: if they are the same everywhere, you have all seen the same history."],
  draws_alone: ["Was der Server würfelt und mischt, bestimmt er allein: Kein Handy ist daran beteiligt.", "The server alone decides what it rolls and shuffles: no phone has a share in it."],
}));
