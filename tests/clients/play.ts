// Joins, draws and plays matches of all games. Every type comes from the contract; there is no cast.
import { drawEntry, drawSituation } from "./draw.js";
import { type Below, DeviceKey, type Good, Referee, Refused, type Schemas, SeedChain, buildMove } from "./referee_client.js";

type Chosen = { offer: Schemas["LegalMove"] | Schemas["Picker"]; move: Schemas["Move"] };
type Played = { game: string; variant: string; chance: string; moves: number; refused: number; picked: number;
  lines: number; kinds: string[]; shares: number[]; links: number; signed: number; status: string; winners: number[] };

const TRIES = 80; // moves put together at random until one is accepted
const LONGEST: Partial<Record<Schemas["Board"]["game"], number>> = { munchkin: 300 }; // moves after which it is enough
const MOST = 6000; // a match of any other game ends before

const pair: Schemas["ChairBody"][] = [{ kind: "human", level: 0 }, { kind: "human", level: 0 }];
const three: Schemas["ChairBody"][] = [...pair, { kind: "human" }];
const SETUPS: Schemas["MatchBody"][] = [
  { game: "mau_mau", variant: "standard", seats: three, chance: "server" },
  { game: "mau_mau", variant: "standard", seats: pair, chance: "table" },
  { game: "monster_combat", variant: "V1", seats: three, chance: "server", visibility: "private", spectator_delay: 0 },
  { game: "monster_combat", variant: "V2", seats: three, chance: "server" },
  { game: "monster_combat", variant: "V1", seats: pair, chance: "table" },
  { game: "shy_monsters", variant: "standard", seats: pair, settings: { games: 1, roles: { dungeon_master: 0 } }, chance: "server" },
  { game: "shy_monsters", variant: "standard", seats: pair, chance: { cards: "table" } },
  { game: "creature_crush", variant: "skirmish", seats: pair, chance: "server" },
  { game: "creature_crush", variant: "arena", seats: pair, chance: "server" },
  { game: "creature_crush", variant: "league", seats: pair, chance: "server" },
  { game: "creature_crush", variant: "skirmish", seats: pair, chance: "table" },
  { game: "here_to_slay", variant: "standard", seats: pair, chance: "server" },
  { game: "here_to_slay", variant: "standard", seats: pair, chance: "table" },
  { game: "munchkin", variant: "standard", seats: three, chance: "server" },
  { game: "munchkin", variant: "standard", seats: three, chance: "table" },
];

/** A person at the table, who hears of everything by a stream. */
class Player {
  private now: Schemas["Situation"] | undefined;
  private readonly news: AsyncGenerator<Schemas["Situation"], void>;

  constructor(readonly referee: Referee, match: string, seat: number, readonly chain: SeedChain, readonly key: DeviceKey) {
    this.news = referee.streamSituations(match, seat);
  }

  /** Returns the situation at this version or a later one. */
  async situationAt(version: number): Promise<Schemas["Situation"]> {
    while (this.now === undefined || this.now.version < version) {
      const next = await this.news.next();
      if (next.done === true) throw new Error(`the stream ended before version ${version}`);
      this.now = next.value;
    }
    return this.now;
  }

  /** Returns whether the stream ends by itself. */
  async hearsTheEnd(): Promise<boolean> {
    for await (const situation of this.news) this.now = situation;
    return true;
  }

  async leave(): Promise<void> {
    await this.news.return();
  }
}

/** Returns numbers that are the same in every run. */
function drawFrom(seed: number): Below {
  let state = seed;
  return (many) => (state = (state * 48271) % 2147483647) % many;
}

function chooseMove(listing: Schemas["MoveListing"], below: Below): Chosen | null {
  const willing = listing.legal.filter((each) => each.flag !== "gives_up" && each.move.type !== "cc.offer_draw");
  const active = willing.filter((each) => each.flag === null);
  const first = active.length > 0 && below(4) > 0 ? active : willing;
  const at = below(first.length + listing.pickers.length);
  const legal = first[at], picker = listing.pickers[at - first.length];
  if (legal !== undefined) return { offer: legal, move: legal.move };
  return picker === undefined ? null : { offer: picker, move: buildMove(picker, below) };
}

/** Returns the kinds of what is going on. */
function listKinds(board: Schemas["Board"] | null): string[] {
  if (board === null || !("running" in board) || board.running === null) return [];
  return [board.running].flat().map((each) => each.kind);
}

async function play(base: string, body: Schemas["MatchBody"], seed: number): Promise<Played> {
  const anyone = new Referee(base, "", "de"), below = drawFrom(seed);
  const opened: Good<"/v1/matches", "post"> = await anyone.call("post", "/v1/matches", { body });
  const host = anyone.withToken(opened.token), match = opened.match;
  const people: Player[] = [];
  for (const invitation of opened.invitations) {
    const chain = await SeedChain.make();
    const joined = await anyone.call("post", "/v1/join", { body: { code: invitation.code, name: "Ada", seed_commitment: chain.commitment } });
    const person = new Player(anyone.withToken(joined.token), match, people.length, chain, await DeviceKey.make());
    await person.referee.nameKey(match, people.length, person.key);
    people.push(person);
  }
  for (const [seat, person] of people.entries()) await person.referee.showSeed(match, seat, person.chain);
  const [first] = people;
  if (first === undefined) throw new Error("nobody was invited");
  const kinds = new Set<string>();
  const played: Played = { game: body.game, variant: show(body.variant), chance: JSON.stringify(body.chance),
    moves: 0, refused: 0, picked: 0, lines: 0, kinds: [], shares: [], links: 0, signed: 0, status: "", winners: [] };
  let { version, awaits, status } = await host.startMatch(match);
  const most = LONGEST[body.game] ?? MOST;
  for (; status === "running" && played.moves < most; played.moves++) {
    const situations = await Promise.all(people.map((person) => person.situationAt(version)));
    for (const situation of situations) {
      played.lines += drawSituation(situation).length;
      for (const kind of listKinds(situation.view.board)) kinds.add(kind);
    }
    const asked = awaits.filter((each) => each !== "clock" && each !== "table");
    const seat = asked[below(asked.length)];
    if (seat === undefined) throw new Error(`nobody can move: ${awaits.join()}`);
    const mover = seat === "chance" ? first : people[seat];
    if (mover === undefined) throw new Error(`nobody sits at ${seat}`);
    const made = await move(mover, match, seat, seat === "chance" ? undefined : situations[seat], below, played);
    played.signed += made.entry.events.filter((event) => event.type === "table.MoveSigned").length;
    for (const entry of [made.entry, ...made.followed]) played.lines += drawEntry(entry).length;
    ({ version, awaits, status } = made);
  }
  for (const person of people) {
    const last = await person.situationAt(version);
    played.lines += drawSituation(last).length;
    played.winners = last.view.outcome?.winners ?? [];
  }
  const { seeds } = await host.call("get", "/v1/matches/{match}", { in: { match } });
  for (const seed of seeds) {
    const at = people[seed.seat]?.chain.links.findIndex((each) => each === seed.seed) ?? -1; // how many were taken
    if (at > 0) played.shares.push(seed.seat);
    played.links += Math.max(0, at);
  }
  if (status !== "running") await Promise.all(people.map((person) => person.hearsTheEnd()));
  await Promise.all(people.map((person) => person.leave()));
  return { ...played, status, kinds: [...kinds].sort() };
}

/** Holds a tournament of two: everything by the types of the contract, heard by its stream, the table played by the same tokens. */
async function holdTournament(base: string): Promise<string[]> {
  const anyone = new Referee(base);
  const opened = await anyone.call("post", "/v1/tournaments", { body: { game: "mau_mau", system: "round_robin", seats: { least: 2, most: 2 } } });
  const host = anyone.withToken(opened.token), tournament = opened.tournament, heard: string[] = [];
  const [invitation] = opened.invitations;
  if (invitation === undefined) throw new Error("nobody is invited");
  const { code } = await host.call("post", "/v1/tournaments/{tournament}/invitations",
    { in: { tournament }, body: { role: "player", uses: 2 } });
  const people: Referee[] = [];
  for (const name of ["Ada", "Bob"]) people.push(anyone.withToken((await anyone.call("post", "/v1/join", { body: { code, name } })).token));
  const give = (command: Schemas["CommandBody"]["command"], by = host): Promise<Schemas["ObeyedCommand"]> =>
    by.call("post", "/v1/tournaments/{tournament}/commands", { in: { tournament }, body: { command } });
  await give({ type: "tournament.start" });
  await give({ type: "tournament.pair" });
  const listening = (async () => {
    for await (const event of host.streamTournament(tournament)) {
      heard.push(event.name === "entry" ? event.data.events.map((each) => each.type).join() : event.name);
      if (event.name === "end") return;
    }
  })();
  const about = await host.call("get", "/v1/tournaments/{tournament}", { in: { tournament } });
  const match = about.rounds[0]?.tables[0]?.match;
  if (match === undefined || match === null) throw new Error("no match was opened for the table");
  const seat = about.rounds[0]?.tables[0]?.players.indexOf(0) ?? 0;
  const [ada] = people;
  if (ada === undefined) throw new Error("nobody joined");
  const { view } = await ada.call("get", "/v1/matches/{match}/seats/{seat}/situation", { in: { match, seat } });
  heard.push(view.status);
  await give({ type: "tournament.concede" }, ada);
  await give({ type: "tournament.end" });
  await listening;
  const made = await anyone.call("post", "/v1/players", { body: { name: "Ada" } });
  const gone: null = await anyone.withToken(made.token).call("delete", "/v1/players/{player}", { in: { player: made.id } });
  return [...heard, String(gone)];
}

const show = (value: string | undefined): string => value ?? "";

/** Makes a move: one of those listed, or one that is put together until the rules accept it. */
async function move(
  mover: Player, match: string, seat: number | "chance", known: Schemas["Situation"] | undefined, below: Below, played: Played,
): Promise<Schemas["MoveResult"]> {
  let listing = known?.moves ?? (await mover.referee.call("get", "/v1/matches/{match}/seats/{seat}/moves", { in: { match, seat } }));
  let why = "";
  for (let number = 0; number < TRIES; number++) {
    const chosen = chooseMove(listing, below);
    if (chosen === null) break;
    try {
      const made = await mover.referee.makeMove(match, seat, chosen.move, listing.version, mover.chain,
        known && listing.version === known.version ? { key: mover.key, root: known.root } : undefined);
      played.picked += "choices" in chosen.offer ? 1 : 0;
      return made;
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      if (failure.isAgainstTheRules && "choices" in chosen.offer) played.refused++;
      else if (failure.isOvertaken) listing = await mover.referee.call("get", "/v1/matches/{match}/seats/{seat}/moves", { in: { match, seat } });
      else throw failure;
      why = `${JSON.stringify(chosen.move)}: ${failure.message}`;
    }
  }
  throw new Error(`${played.game}: no move of ${seat} for ${JSON.stringify(listing.question)} is accepted; ${why}`);
}

declare const process: { argv: string[]; exitCode: number };
const [, , base, only, end] = process.argv;

async function main(): Promise<void> {
  if (end !== undefined) { // of a chain, which is to be shown
    const { commitment, links } = await SeedChain.make(Uint8Array.from(end.match(/../g) ?? [], (pair) => parseInt(pair, 16)));
    return console.log(JSON.stringify({ end, length: links.length - 1, commitment, links: links.slice(1, 4), last: links.at(-1) }));
  }
  if (only === "tournament") return console.log(JSON.stringify(await holdTournament(show(base))));
  const played: Played[] = [];
  for (const [number, setup] of SETUPS.entries())
    if (only === undefined || setup.game === only) played.push(await play(show(base), setup, number + 1));
  console.log(JSON.stringify(played));
}

main().catch((wrong: unknown) => {
  console.error(wrong);
  process.exitCode = 1;
});
