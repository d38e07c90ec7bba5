// How the search of the site orders what it finds: guides and rules first, then decisions and the changelog.
"use strict";

const LATER = /^(decisions\/[0-9]|changelog|deep-tests|other-programs)/;
const FIRST = /^(rulebooks|games|cards)\//;

var Scorer = { // not const: the search of Sphinx declares it too, where it is missing
  score: ([page, , , , score]) => (LATER.test(page) ? score - 20 : FIRST.test(page) ? score + 1 : score),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
