// Draws the situation of a seat as text. It knows nothing but the types of the contract, and computes nothing.
import type { Schemas } from "./referee_client.js";

type Card = Pick<Schemas["BoardCard"], "name" | "card" | "back"> & { marks?: string[] };
type Pile = { label: Schemas["Words"]; count: number | null; cards: Card[] };
type Board = Schemas["Board"];
type Game<G extends Board["game"]> = Extract<Board, { game: G }>;

const say = (words: Schemas["Words"] | null | undefined): string => words?.de ?? words?.en ?? "";
const show = (value: string | number | boolean | null | undefined): string => String(value ?? "?");
const player = (seat: number | null): string => (seat === null ? "?" : `Spieler ${seat + 1}`);
const players = (seats: readonly number[]): string => seats.map(player).join(", ");
const when = (text: string, applies: boolean | null): string[] => (applies === true ? [text] : []);
const marks = (given: readonly string[] | undefined): string => (given ?? []).map((mark) => ` *${mark}`).join("");

/** Fails to compile where a kind is left out, and throws if a server sends one that the contract lacks. */
function never(left: never): never {
  throw new Error(`the contract does not know ${JSON.stringify(left)}`);
}

function card(drawn: Card | null): string {
  if (drawn === null) return "[?]";
  return `[${drawn.card === null ? `## ${drawn.back}` : say(drawn.name) || drawn.card}${marks(drawn.marks)}]`;
}

const cards = (drawn: readonly Card[] | null): string => (drawn === null ? "[?]" : drawn.map(card).join(" "));
const pile = (drawn: Pile | null): string =>
  drawn === null ? "" : `${say(drawn.label)} (${show(drawn.count)}) ${cards(drawn.cards)}`.trim();

/** Returns a situation as lines: the board, what counts, what is asked, and the buttons. */
export function drawSituation(situation: Schemas["Situation"]): string[] {
  const { view, moves } = situation;
  return [
    `v${view.version} ${view.status}`,
    ...view.seats.map(drawSeat),
    ...(view.board === null ? ["(noch nicht begonnen)"] : [...drawTable(view.board), ...drawBoard(view.board)]),
    ...view.sums.flatMap((sum) => drawSum(sum, 0)),
    ...(view.question === null ? [] : [`? ${say(view.question.asks)}`]),
    `wartet auf ${view.awaits.map((each) => (typeof each === "number" ? player(each) : each)).join(", ")}`,
    ...(view.deadline === null ? [] : [`bis ${view.deadline.at}`]),
    ...(view.outcome === null ? [] : [`gewonnen: ${players(view.outcome.winners)}: ${say(view.outcome.reason)}`]),
    ...drawMoves(moves),
  ];
}

/** Returns who sits there; a name is shown as it is. */
function drawSeat(seat: Schemas["SeatInfo"]): string {
  const kind = seat.kind === "bot" ? `Bot ${show(seat.level)}` : seat.kind === "table" ? "ohne Gerät" : when("frei", !seat.is_taken).join("");
  return `${player(seat.seat)} ${seat.name ?? ""} Farbe ${seat.color} ${kind} ${seat.is_connected === false ? "(nicht verbunden)" : ""}`;
}

function drawTable(board: Board): string[] {
  return [`${board.game} ${board.variant}, Zug ${board.turn_number}: ${player(board.turn)}`, ...board.piles.map(pile)];
}

/** Returns the lines of a sum: what counts, what it needs, and its parts below it. */
function drawSum(sum: Schemas["Term"], depth: number): string[] {
  const line = `${"  ".repeat(depth)}${show(sum.value)} ${say(sum.says)} (${sum.clause})`;
  return [line, ...sum.parts.flatMap((part) => drawSum(part, depth + 1))];
}

function drawBoard(board: Board): string[] {
  switch (board.game) {
    case "mau_mau": return drawMauMau(board);
    case "monster_combat": return drawMonsterCombat(board);
    case "shy_monsters": return drawShyMonsters(board);
    case "creature_crush": return drawCreatureCrush(board);
    case "munchkin": return drawMunchkin(board);
    case "here_to_slay": return drawHereToSlay(board);
    default: return never(board);
  }
}

function drawMauMau(board: Game<"mau_mau">): string[] {
  return [
    ...board.seats.map((seat) => `${player(seat.seat)}: ${pile(seat.hand)}`),
    `gewünscht: ${show(board.wish)}, zu ziehen: ${show(board.due)}, letzter Zug: ${board.last_turn}`,
  ];
}

function drawMonsterCombat(board: Game<"monster_combat">): string[] {
  const { monster, running } = board;
  const lines = board.seats.map((seat) => {
    const states = [...when("ausgeschieden", seat.is_out), ...when("unangreifbar", seat.is_immune), ...when("setzt aus", seat.is_skipped)];
    return `${player(seat.seat)} ♥${show(seat.hearts)}/${seat.of_hearts} ${states.join(", ")}: ${pile(seat.hand)}`;
  });
  lines.push(`Phase: ${show(board.phase)}, Richtung: ${show(board.direction)}`);
  if (monster !== null)
    lines.push(`Monster ${monster.number}: ${card(monster.card)} ♥${show(monster.hearts)}/${monster.of_hearts} ${when("schläft", monster.is_asleep).join("")}`);
  if (running !== null) lines.push(`> ${drawMonsterCombatRunning(running)}`);
  return lines;
}

function drawMonsterCombatRunning(running: Schemas["MonsterCombatBoardRunning"]): string {
  switch (running.kind) {
    case "attack":
      return `Angriff mit ${card(running.card)} von ${player(running.by)} auf ${players(running.seats)}: ${show(running.strength)}`;
    case "theft":
      return `${player(running.by)} nimmt ${running.count} Karten von ${player(running.victim)}`;
    default: return never(running);
  }
}

function drawShyMonsters(board: Game<"shy_monsters">): string[] {
  const [heroX, heroY] = board.hero ?? [];
  const tiles = (board.tiles ?? []).map((tile) => {
    const states = [...when("offen", tile.is_up), ...when("lebt", tile.is_alive), ...when("greift an", tile.is_active)];
    const hero = tile.x === heroX && tile.y === heroY ? "@" : " ";
    return `${hero}${tile.place} ${show(tile.kind)} ${tile.card === null ? "" : card(tile.card)} ${states.join(", ")} ${tile.turned ?? ""}`;
  });
  return [
    `Spiel ${board.match_game}/${board.match_games}, Stockwerk ${show(board.floor)}/${board.floors}: ${show(board.phase)}`,
    ...board.seats.map((seat) => `${player(seat.seat)} ${show(seat.role)}, Siege: ${seat.wins} ${pile(seat.hand)}`),
    ...tiles,
    `Angriff: ${show(board.skills.attack)}, Sprung: ${show(board.skills.jump)}, ruhige Züge: ${show(board.quiet_moves)}`,
  ];
}

function drawCreatureCrush(board: Game<"creature_crush">): string[] {
  return [
    `Phase: ${show(board.phase)}, Würfel: ${board.dice.left.join(" ")}, verbrannt: ${board.dice.burned}`,
    `ruhige Züge: ${board.quiet_turns}/${board.most_quiet_turns}`,
    ...board.seats.flatMap((seat) => [
      `${player(seat.seat)} ${when("ausgeschieden", seat.is_out).join("")}: noch ${show(seat.cards_left)} Karten, +${seat.extra_dice} Würfel`,
      ...[seat.hand, seat.deck, seat.hell, seat.flipped, seat.sought, seat.draft].map(pile),
      `eigenes Deck: ${seat.deck_list?.join(", ") ?? "?"}`,
      ...seat.field.map((place) => `  ${place.name} ${place.creature === null ? "-" : drawCreature(place.creature)}`),
      ...seat.crush.map((place) => `  ${place.name} ${place.card === null ? "-" : card(place.card)} ${place.dice ?? ""}`),
    ]),
    ...board.running.map((running) => `> ${drawCreatureCrushRunning(running)}`),
  ];
}

function drawCreature(creature: Schemas["CreatureCrushCreature"]): string {
  const changes = creature.changes.map((each) => ` ${each.stat}${each.amount > 0 ? "+" : ""}${each.amount} (${say(each.by.name)})`);
  const words = (creature.keywords ?? []).join(" ");
  return `${card(creature)} ${creature.cost}: ⚔${show(creature.attack)} ⛨${show(creature.armor)} ♥${creature.life_left}/${creature.life} ${words}${changes.join("")}`;
}

const effect = (drawn: Schemas["CreatureCrushEffect"]): string => `${card(drawn.card)} ${drawn.part} von ${player(drawn.seat)}`;

function drawCreatureCrushRunning(running: Schemas["CreatureCrushBoardRunning"]): string {
  switch (running.kind) {
    case "attack":
      return `${card(running.attacker)} greift ${card(running.target)} an: ${show(running.damage)} Schaden, zurück ${show(running.block_damage)} ${running.fails ?? ""}`;
    case "chain": {
      const { window } = running;
      const asked = window === null ? "" : `${window.event}: ${player(window.asked)} antwortet auf ${player(window.by)} ${cards(window.cards)}`;
      return `Kette: ${running.effects.map(effect).join("; ")} ${asked}`;
    }
    case "ordering":
      return `${player(running.seat)} ordnet: ${running.chosen.map(effect).join("; ")} | ${running.left.map(effect).join("; ")}`;
    case "effect":
      return effect(running);
    case "choice":
      return `${player(running.seat)} wählt ${running.count} (${running.about}) für ${card(running.card)} ${running.pips.join(" ")}`;
    case "random":
      return `${running.count} zufällig für ${card(running.card)} aus ${cards(running.candidates)}`;
    case "loss":
      return `${player(running.seat)} verliert ${running.count} Karten (${running.source})`;
    case "destroying":
      return `zerstört werden ${cards(running.cards)}`;
    case "roll":
      return `${player(running.seat)} würfelt mit ${running.dice} (${running.rolls}) ${running.card === null ? "" : card(running.card)}`;
    case "start_roll":
      return `um den Beginn wird gewürfelt: ${running.rolled.join(" ")}`;
    case "draft":
      return `Runde ${running.round}/${running.rounds}: ${running.keep} von ${running.drawn} behalten: ${players(running.waiting)}`;
    case "decks":
      return `Decks fehlen von ${players(running.waiting)}`;
    case "draw_offer":
      return `${player(running.seat)} bietet Unentschieden an`;
    case "report":
      return `zu melden: ${running.reports} (${running.place})`;
    default: return never(running);
  }
}

function drawMunchkin(board: Game<"munchkin">): string[] {
  return [
    `Phase: ${show(board.phase)}, noch: ${board.steps_left.join(", ")}, Ziel: Stufe ${board.goal}`,
    ...board.seats.flatMap((seat) => [
      `${player(seat.seat)} Stufe ${seat.level}, Kampfstärke ${show(seat.strength)} ${seat.role ?? ""} ${when("tot", seat.is_dead).join("")}`,
      `  Hände ${show(seat.hands)}, Große ${show(seat.big_limit)}, Weglaufen ${show(seat.run_away_bonus)}, Städte ${(seat.towns ?? []).join(", ")}`,
      ...[seat.hand, seat.citizenship, seat.ride, seat.curses].map((each) => `  ${pile(each)}`),
      `  ${say(seat.items.label)} (${show(seat.items.count)})`,
      ...seat.items.cards.map((item) => `    ${card(item)} ${show(item.adds)}/${item.bonus} ${item.slot ?? ""} ${item.attached === null ? "" : card(item.attached)}`),
    ]),
    ...(board.combat === null ? [] : drawMunchkinCombat(board.combat)),
    ...board.running.map((running) => `> ${drawMunchkinRunning(running)}`),
    ...board.trades.map((trade) => `Tausch: ${player(trade.by)} ${cards(trade.gives)} gegen ${cards(trade.takes)} von ${player(trade.to)}`),
  ];
}

function drawMunchkinCombat(combat: Schemas["MunchkinCombat"]): string[] {
  const { talks, deal, claim } = combat;
  return [
    `Kampf (${combat.stage}): ${player(combat.main)}${combat.helper === null ? "" : ` mit ${player(combat.helper)}`}`,
    `  ${show(combat.strength.munchkins)} : ${show(combat.strength.monsters)}, vorn: ${show(combat.leads)}, es fehlen ${show(combat.short)}`,
    ...combat.monsters.map((monster) => `  ${card(monster.card)} ${say(monster.name)} Stufe ${monster.level}, ${show(monster.strength)} ${cards(monster.enhancers)} ${say(monster.bad_stuff)}`),
    ...combat.additions.map((added) => `  ${card(added.card)} von ${player(added.by)}: ${added.side} +${added.strength}`),
    `  ${cards(combat.other_cards)} Lohn: ${combat.levels} Stufen, ${show(combat.treasures)} Schätze`,
    ...(talks === null ? [] : [`  ${player(talks.by)} fragt ${player(talks.asked)}: ${say(talks.deal.text)}`]),
    ...(deal === null ? [] : [`  abgemacht: ${say(deal.text)}`]),
    ...(claim === null ? [] : [`  Einspruch noch möglich: ${players(claim.waiting)}`]),
  ];
}

function drawMunchkinRunning(running: Schemas["MunchkinBoardRunning"]): string {
  switch (running.kind) {
    case "start_roll":
      return `${players(running.seats)} würfeln: ${running.rolled.map((each) => `${player(each.seat)} ${each.dice.join("+")}`).join(", ")}`;
    case "flight":
      return `${player(running.seat)} läuft vor ${running.monster} weg: ${show(running.total)}, nötig ${running.need}`;
    case "die":
      return `${player(running.seat)} würfelt für ${running.card}: ${show(running.total)}`;
    case "curse":
      return `Fluch ${card(running.card)} trifft ${player(running.victim)}: ${running.state}`;
    case "text":
      return `${running.card} (${running.part}) für ${player(running.seat)}`;
    case "choice":
      return `${player(running.seat)} wählt: ${running.about} ${show(running.count)} ${show(running.card)}`;
    case "treasures":
      return `Schätze verteilen: ${players(running.picks)}`;
    case "looting":
      return `Leiche von ${player(running.dead)}: ${pile(running.pile)}`;
    case "charity":
      return `${player(running.seat)} gibt ${running.count} Karten an ${players(running.to)}`;
    case "report":
      return `zu melden: ${running.of} (${running.place}) ${show(running.count)}`;
    default: return never(running);
  }
}

function drawHereToSlay(board: Game<"here_to_slay">): string[] {
  return [
    `Monster: ${(board.row ?? []).map(drawMonster).join("; ")}`,
    ...board.seats.flatMap((seat) => [
      `${player(seat.seat)} ${when("ausgeschieden", seat.is_out).join("")}: ${seat.slain.length}/${seat.of_slain} Monster, ${seat.classes?.length ?? "?"}/${seat.of_classes} Klassen, ${show(seat.points)}/${show(seat.of_points)} Aktionspunkte`,
      `  ${pile(seat.hand)}`,
      `  ${seat.leader === null ? "-" : `${card(seat.leader.card)} ${seat.leader.hero_class} ${when("benutzt", seat.leader.is_used).join("")}`}`,
      ...(seat.party ?? []).map((hero) => `  ${card(hero.card)} ${hero.hero_class} ${span(hero.needs)} ${hero.item === null ? "" : card(hero.item)}${marks(hero.marks)}`),
      ...seat.slain.map((monster) => `  erlegt: ${card(monster.card)}`),
      ...seat.lasting.map((each) => `  ${card(each.source)}: ${each.what} ${each.value} bis ${each.until}`),
    ]),
    ...board.running.map((running) => `> ${drawHereToSlayRunning(running)}`),
    ...(board.won_by === null ? [] : [`gewonnen durch ${board.won_by}`]),
  ];
}

const span = (drawn: Schemas["HereToSlaySpan"] | null): string => (drawn === null ? "" : `${drawn.least ?? ""}–${drawn.most ?? ""}`);
const drawMonster = (monster: Schemas["HereToSlayMonster"]): string =>
  `${card(monster.card)} erlegt mit ${span(monster.slays)}, schlägt zurück bei ${span(monster.fights_back)}, verlangt ${monster.requires.join(", ")}, erfüllt von ${players(monster.ready)}${when(" *angegriffen", monster.is_attacked).join("")}`;

function drawHereToSlayRunning(running: Schemas["HereToSlayBoardRunning"]): string {
  switch (running.kind) {
    case "roll":
      return `${drawDice(running)} (${running.rolls}) für ${card(running.card)}, nötig ${span(running.needs)}, zurück bei ${span(running.fights_back_at)}: ${show(running.outcome)} gegen ${cards(running.targets)} ${players(running.target_seats)}, gefragt: ${players(running.asked)}`;
    case "challenge":
      return `${card(running.card)} von ${player(running.seat)} herausgefordert: ${drawDice(running.challenger)} gegen ${drawDice(running.challenged)}, hält ${show(running.stands)}, gefragt: ${players(running.asked)}`;
    case "play": return `${player(running.seat)} spielt ${card(running.card)} ${when("anfechtbar", running.is_open).join("")}, gefragt: ${players(running.asked)}`;
    case "text": return `${drawText(running)} trifft ${cards(running.targets)} ${players(running.target_seats)} ${when("wählt Ziele", running.is_naming_targets).join("")}`;
    case "abilities": return `danach: ${running.texts.map(drawText).join("; ")}`;
    case "choice": return `${player(running.seat)} wählt (${running.about}) für ${card(running.card)}: ${cards(running.cards)}`;
    case "secret_choice":
      return `verdeckt (${running.about}) ${running.least}–${running.most} für ${card(running.card)} an ${player(running.to)}: es fehlen ${players(running.waiting)}, gewählt haben ${players(running.chosen)}`;
    case "removal": return `${card(running.hero)} in Gefahr durch ${player(running.seat)}: ${running.how}`;
    case "draw": return `${player(running.seat)} zieht noch ${running.count}`;
    case "pull": return `${player(running.seat)} zieht ${running.count} aus der Hand von ${player(running.victim)}`;
    case "report": return `zu melden: ${running.reports} (${running.place}) ${show(running.count)}`;
    case "start_roll": return `um den Beginn würfeln ${players(running.seats)}: ${running.rolled.join(" ")}`;
    case "leaders": return `einen Anführer wählen ${players(running.waiting)} ${when("zugleich", running.is_at_once).join("")}`;
    default: return never(running);
  }
}

const drawText = (text: Schemas["HereToSlayWaitingText"]): string => `${card(text.card)} (${text.part}) für ${player(text.seat)}`;

function drawDice(rolled: Schemas["HereToSlayDice"]): string {
  const values = (rolled.values ?? []).map((each) => ` ${say(each.name) || each.card} ${each.value}`).join("");
  return `${player(rolled.seat)} würfelt ${rolled.dice.join("+")}${values} = ${show(rolled.total)}`;
}

/** Returns what an entry tells: its sentence, the cards that move, and the numbers that change. */
export function drawEntry(entry: Schemas["Entry"]): string[] {
  return [
    `${entry.version}. ${say(entry.says)}`,
    ...entry.transfers.map((each) => `  ${show(each.from)} → ${show(each.to)}: ${cards(each.cards)} (${show(each.count)}) ${each.was.map(show).join(" ")}`),
    ...(entry.changes ?? []).map((each) => `  ${each.seat === null ? "" : player(each.seat)} ${each.what}: ${show(each.from)} → ${show(each.to)} (${each.at})`),
  ];
}

/** Returns the buttons under their headings, what may be put together, and what the table asks besides. */
function drawMoves(listing: Schemas["MoveListing"]): string[] {
  const headed = new Set(listing.groups.map((group) => group.type));
  for (const each of listing.legal) if (!headed.has(each.move.type)) throw new Error(`no heading over ${each.move.type}`);
  return [
    ...(listing.halted === null ? [] : [`! ${say(listing.halted)}`]),
    ...listing.groups.flatMap((group) => [
      `== ${say(group.says)}`,
      ...listing.legal.filter((each) => each.move.type === group.type).map(drawMove),
    ]),
    ...listing.pickers.flatMap((picker) => [`== ${say(picker.says)} …`, ...picker.choices.map(drawChoice)]),
    ...listing.asked.flatMap((asked) => [`?? ${say(asked.asks)}`, ...asked.answers.map((answer) => `  (${say(answer.says)})`)]),
  ];
}

function drawMove(legal: Schemas["LegalMove"]): string {
  const about = [...legal.cards, ...legal.seats.map(player)].join(", ");
  switch (legal.flag) {
    case null: return `  (${say(legal.told)}) ${about}`;
    case "passes": return `  (${say(legal.told)} ⏭) ${about}`;
    case "ends_turn": return `  (${say(legal.told)} ⏹) ${about}`;
    case "gives_up": return `  (${say(legal.told)} ⚐) ${about}`;
    default: return never(legal.flag);
  }
}

function drawChoice(choice: Schemas["PickerChoice"]): string {
  const values = choice.values.map((value, at) => `${show(value)}${(choice.copies?.[at] ?? 1) > 1 ? `×${choice.copies?.[at]}` : ""}`);
  return `  ${choice.field} (${choice.kind} ${show(choice.least)}–${show(choice.most)}): ${values.join(", ")}`;
}
