// Reads {pattern: [texts]} and writes what the engine of a browser makes of each: an error, or which texts match.
import { readFileSync } from "node:fs";

const asked = Object.entries(JSON.parse(readFileSync(process.argv[2], "utf-8")));
const found = asked.map(([pattern, texts]) => {
  try {
    const compiled = new RegExp(pattern, "u");
    return [pattern, texts.filter((text) => compiled.test(text))];
  } catch (error) {
    return [pattern, String(error)];
  }
});
console.log(JSON.stringify(Object.fromEntries(found)));
