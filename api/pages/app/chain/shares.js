// @ts-check
// Who has a share in the server's draws, for people who look.
import "./texts.js";
import { joinWords, nameSeat, t } from "../lib/words.js";

/** Return it as a sentence; empty at a table where the server draws nothing. @param {import("../contract").components["schemas"]["Match"]} about @param {Record<string, string>} names */
export function describeShares({ chance, seeds, seats }, names) {
  if (!Object.values(chance).includes("server")) return "";
  const shown = seeds.filter((each) => each.seed !== null && seats.some(({ seat, taken }) => taken && seat === each.seat)).map((each) => nameSeat(each.seat, names));
  return shown.length > 0 ? t("draws_shared", { n: shown.length, names: joinWords(shown) }) : t("draws_alone");
}
