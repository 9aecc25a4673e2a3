// Reads the events of a chain into Ponder's sync tables as a first sync does, without indexing them, and exits.
import pg from "pg";
import { createChainGate } from "../../chain-access/gate/chain-gate.ts";
import type { Sources } from "../../chain-access/sources/sources.ts";

export type FetchSettings = { databaseUrl: string; rpcUrl: string; sources: Sources; to: number };

const { databaseUrl, rpcUrl, sources, to } = JSON.parse(process.argv[2] ?? "") as FetchSettings;
const database = new pg.Pool({ connectionString: databaseUrl, max: 4 });
const gate = createChainGate({
  sources,
  database,
  schema: "onchain",
  rpcUrls: [rpcUrl],
  webSocketUrls: [],
  pollingMs: 1_000,
  log: (line) => console.error(line),
});

console.log("begun");
const toBlock = `0x${to.toString(16)}`;
await gate.request("eth_getLogs", [{ address: sources.launchpad, topics: [], fromBlock: "0x0", toBlock }]);
console.log("done");
await gate.stop();
await database.end();
