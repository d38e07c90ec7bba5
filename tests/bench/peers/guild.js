'use strict';

// A card game of the size of ours for two seats: 115 cards, three monsters in the row, three points a turn, windows in
// which the other seat may challenge and both may modify a roll. The cards have no texts, so much less happens in a move.

const { INVALID_MOVE } = require('boardgame.io/core');

const CLASSES = ['fighter', 'guardian', 'ranger', 'thief', 'wizard', 'bard'];
const COUNTS = { item: 20, magic: 16, modifier: 20, challenge: 11 };
const HAND = 5;
const POINTS = 3;
const SLAIN_TO_WIN = 3;

const kindOf = (card) => card.split('-')[0];
const numberOf = (card) => Number(card.split('-').pop());
const needOf = (hero) => 5 + (numberOf(hero) % 5);
const monsterNeed = (monster) => 8 + (numberOf(monster) % 4);
const other = (seat) => (seat === '0' ? '1' : '0');

function listCards() {
  const cards = [];
  for (const name of CLASSES) for (let n = 0; n < 8; n++) cards.push(`hero-${name}-${n}`);
  for (const [kind, count] of Object.entries(COUNTS)) for (let n = 0; n < count; n++) cards.push(`${kind}-${n}`);
  return cards;
}

function setup({ random }) {
  const monsters = random.Shuffle(Array.from({ length: 15 }, (_, n) => `monster-${n}`));
  const leaders = random.Shuffle(CLASSES.map((name) => `leader-${name}`));
  const deck = random.Shuffle(listCards());
  const parties = {};
  const players = {};
  for (const seat of ['0', '1']) {
    players[seat] = { hand: deck.splice(0, HAND) };
    parties[seat] = { leader: leaders.pop(), heroes: [], slain: [] };
  }
  const row = monsters.splice(0, 3);
  return { secret: { deck, monsters }, players, parties, row, discard: [], points: POINTS, pending: null };
}

function draw(G, random, seat, count) {
  for (let n = 0; n < count; n++) {
    if (!G.secret.deck.length) {
      G.secret.deck = random.Shuffle(G.discard);
      G.discard = [];
    }
    if (G.secret.deck.length) G.players[seat].hand.push(G.secret.deck.pop());
  }
}

// Take a card of a kind out of a hand; false if it is not there.
function takeCard(G, seat, card, ...kinds) {
  const at = G.players[seat].hand.indexOf(card);
  if (at < 0 || !kinds.includes(kindOf(card))) return false;
  G.players[seat].hand.splice(at, 1);
  return true;
}

function loseHero(G, seat) {
  const lost = G.parties[seat].heroes.pop();
  if (lost) G.discard.push(lost.card, ...lost.items);
}

// Ask both seats that hold cards whether they modify the roll; without any it counts at once.
function openModifiers(G, random, events) {
  G.pending.waiting = ['0', '1'].filter((seat) => G.players[seat].hand.length);
  if (!G.pending.waiting.length) resolveRoll(G, random);
  const asked = G.pending ? G.pending.waiting : [];
  events.setActivePlayers({ value: Object.fromEntries(asked.map((seat) => [seat, 'modify'])) });
}

function rollDice(G, random, events, pending) {
  const dice = [random.D6(), random.D6()];
  G.pending = { ...pending, dice, sum: dice[0] + dice[1], waiting: [] };
  openModifiers(G, random, events);
}

function resolveRoll(G, random) {
  const { what, by, card, sum } = G.pending;
  if (what === 'roll' && sum >= needOf(card)) {
    const effect = numberOf(card) % 4;
    if (effect < 2) draw(G, random, by, effect + 1);
    if (effect === 2 && G.players[other(by)].hand.length) G.discard.push(G.players[other(by)].hand.pop());
    if (effect === 3) loseHero(G, other(by));
  }
  if (what === 'attack' && sum >= monsterNeed(card)) {
    G.row.splice(G.row.indexOf(card), 1, ...G.secret.monsters.splice(0, 1));
    G.parties[by].slain.push(card);
  } else if (what === 'attack' && sum < 6) {
    loseHero(G, by);
  }
  G.pending = null;
}

function resolveCard(G, random, stands) {
  const { by, card } = G.pending;
  const { heroes } = G.parties[by];
  if (stands && kindOf(card) === 'hero') heroes.push({ card, items: [], rolled: false });
  else if (stands && kindOf(card) === 'item' && heroes.length) heroes[heroes.length - 1].items.push(card);
  else G.discard.push(card);
  if (stands && kindOf(card) === 'magic') draw(G, random, by, 2);
  G.pending = null;
}

function endIfSpent(G, events) {
  if (!G.pending && G.points === 0) events.endTurn();
}

const turnMoves = {
  draw({ G, playerID, random, events }) {
    G.points -= 1;
    draw(G, random, playerID, 1);
    endIfSpent(G, events);
  },
  play({ G, playerID, random, events }, card) {
    if (!takeCard(G, playerID, card, 'hero', 'item', 'magic')) return INVALID_MOVE;
    G.points -= 1;
    G.pending = { what: 'play', by: playerID, card };
    if (G.players[other(playerID)].hand.length) {
      events.setActivePlayers({ value: { [other(playerID)]: 'challenge' } });
    } else {
      resolveCard(G, random, true);
      endIfSpent(G, events);
    }
  },
  roll({ G, playerID, random, events }, card) {
    const hero = G.parties[playerID].heroes.find((each) => each.card === card);
    if (!hero || hero.rolled) return INVALID_MOVE;
    hero.rolled = true;
    G.points -= 1;
    rollDice(G, random, events, { what: 'roll', by: playerID, card });
    endIfSpent(G, events);
  },
  attack({ G, playerID, random, events }, card) {
    if (G.points < 2 || !G.row.includes(card) || !G.parties[playerID].heroes.length) return INVALID_MOVE;
    G.points -= 2;
    rollDice(G, random, events, { what: 'attack', by: playerID, card });
    endIfSpent(G, events);
  },
  end({ events }) {
    events.endTurn();
  },
};

const stages = {
  challenge: {
    moves: {
      challenge({ G, playerID, random, events }, card) {
        if (!takeCard(G, playerID, card, 'challenge')) return INVALID_MOVE;
        G.discard.push(card);
        events.endStage();
        resolveCard(G, random, random.D6() + random.D6() > random.D6() + random.D6());
        endIfSpent(G, events);
      },
      pass({ G, random, events }) {
        events.endStage();
        resolveCard(G, random, true);
        endIfSpent(G, events);
      },
    },
  },
  modify: {
    moves: {
      modify({ G, playerID, random, events }, card, by) {
        if (Math.abs(by) > 4 || !takeCard(G, playerID, card, 'modifier')) return INVALID_MOVE;
        G.discard.push(card);
        G.pending.sum += by;
        openModifiers(G, random, events);
        endIfSpent(G, events);
      },
      pass({ G, playerID, random, events }) {
        events.endStage();
        G.pending.waiting = G.pending.waiting.filter((seat) => seat !== playerID);
        if (!G.pending.waiting.length) resolveRoll(G, random);
        endIfSpent(G, events);
      },
    },
  },
};

function playerView({ G, playerID }) {
  const { secret, players, ...open } = G;
  const hands = Object.fromEntries(
    Object.entries(players).map(([seat, { hand }]) => [seat, seat === playerID ? { hand } : { count: hand.length }]),
  );
  return { ...open, deck: secret.deck.length, monsters: secret.monsters.length, players: hands };
}

module.exports = {
  name: 'guild',
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true, // cards are drawn: nobody may see them and take the move back
  setup,
  playerView,
  moves: turnMoves,
  turn: {
    onBegin: ({ G, ctx }) => {
      G.points = POINTS;
      for (const hero of G.parties[ctx.currentPlayer].heroes) hero.rolled = false;
    },
    stages,
  },
  endIf: ({ G }) => {
    const winner = Object.keys(G.parties).find((seat) => G.parties[seat].slain.length >= SLAIN_TO_WIN);
    return winner === undefined ? undefined : { winner };
  },
};
