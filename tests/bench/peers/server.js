'use strict';

// Serve the game on a free port: `node server.js` keeps matches in memory, `node server.js FOLDER` in files (FlatFile).
// The first line on standard output is JSON: the port and the versions that run.

const { FlatFile, Server } = require('boardgame.io/server');
const guild = require('./guild');

const folder = process.argv[2];
const versions = { node: process.versions.node };
for (const name of ['boardgame.io', 'socket.io', 'node-persist']) {
  versions[name] = JSON.parse(require('fs').readFileSync(`${__dirname}/node_modules/${name}/package.json`)).version;
}

async function main() {
  const db = folder ? { db: new FlatFile({ dir: folder }) } : {};
  const { appServer } = await Server({ games: [guild], origins: [], ...db }).run({ port: 0 });
  process.stdout.write(`${JSON.stringify({ port: appServer.address().port, versions })}\n`);
}

main();
