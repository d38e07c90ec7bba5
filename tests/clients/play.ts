// A small client: every type comes from the contract, none is written by hand. Plays a match to its end.
import type { components, paths } from "./contract";

type Schemas = components["schemas"];
type Person = { base: string; token?: string };
type Body<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  requestBody: { content: { "application/json": infer B } };
} ? B : never;
type Good<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { responses: infer R }
  ? { [S in keyof R]: S extends 200 | 201 ? (R[S] extends { content: { "application/json": infer B } } ? B : never) : never }[keyof R]
  : never;

let asked = 0;
let dice = 1;
const below = (many: number): number => (dice = (dice * 48271) % 2147483647) % many; // the same in every run
const key = (): string => `typescript-client-${String(asked++).padStart(12, "0")}`;

async function call<T>(who: Person, method: string, path: string, body?: unknown, ifMatch?: string): Promise<T> {
  const headers: Record<string, string> = {};
  if (who.token !== undefined) headers["Authorization"] = `Bearer ${who.token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET") headers["Idempotency-Key"] = key();
  if (ifMatch !== undefined) headers["If-Match"] = ifMatch;
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  const answer = await fetch(who.base + path, init);
  if (!answer.ok) {
    const problem = (await answer.json()) as Schemas["Problem"];
    throw new Error(`${method} ${path}: ${problem.status} ${problem.type}`);
  }
  return (await answer.json()) as T;
}

const givesUp = (move: Schemas["Move"]): boolean => move.type === "sm.concede" || move.type === "sm.claim";

async function play(base: string): Promise<{ moves: number; status: string; winners: number[] }> {
  const anyone: Person = { base };
  const body: Body<"/v1/matches", "post"> = {
    game: "shy_monsters",
    variant: "standard",
    settings: { games: 1, roles: { dungeon_master: 0 } },
    seats: [{ kind: "human", level: 0 }, { kind: "human", level: 0 }],
    chance: "server",
    visibility: "private",
    spectator_delay: 0,
  };
  const opened = await call<Good<"/v1/matches", "post">>(anyone, "POST", "/v1/matches", body);
  const host: Person = { base, token: opened.token };
  const match = `/v1/matches/${opened.match}`;
  const people: Person[] = [];
  for (const invitation of opened.invitations) {
    const join: Body<"/v1/join", "post"> = { code: invitation.code, name: "Ada" };
    const joined = await call<Good<"/v1/join", "post">>(anyone, "POST", "/v1/join", join);
    people.push({ base, token: joined.token });
  }
  await call<Schemas["WriteResult"]>(host, "POST", `${match}/start`, undefined, '"v3"');
  let about = await call<Schemas["Match"]>(host, "GET", match);
  let moves = 0;
  for (; about.status === "running" && moves < 2000; moves++) {
    const seat = about.awaits.find((each): each is number => typeof each === "number");
    const person = seat === undefined ? undefined : people[seat];
    if (person === undefined) throw new Error(`nobody to move: ${about.awaits.join()}`);
    const listed = await call<Schemas["MoveListing"]>(person, "GET", `${match}/seats/${seat}/moves`);
    const willing = listed.legal.filter((each) => !givesUp(each.move));
    const from = willing.length > 0 ? willing : listed.legal;
    const chosen = from[below(from.length)];
    if (chosen === undefined) throw new Error("nothing is legal");
    const move: Schemas["MoveBody"] = { move: chosen.move, seen: listed.version };
    await call<Schemas["MoveResult"]>(person, "POST", `${match}/seats/${seat}/moves`, move);
    about = await call<Schemas["Match"]>(host, "GET", match);
  }
  const first = people[0] as Person;
  const full = await call<Schemas["View"]>(first, "GET", `${match}/full/view`);
  return { moves, status: about.status, winners: full.outcome?.winners ?? [] };
}

async function main(base: string): Promise<void> {
  const played = [];
  for (let match = 0; match < 5; match++) played.push(await play(base));
  console.log(JSON.stringify(played));
}

declare const process: { argv: string[]; exitCode: number };
main(String(process.argv[2])).catch((wrong: unknown) => {
  console.error(wrong);
  process.exitCode = 1;
});
