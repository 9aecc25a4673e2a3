import pg from "pg";
import { createChainGate } from "../../chain-access/gate/chain-gate.ts";
import type { Sources } from "../../chain-access/sources/sources.ts";
import { readJob, sendMessage } from "../shared/process.ts";

/* Reads the events of a chain into Ponder's sync tables as a first sync does, without indexing them, and exits. */

export type FetchJob = { databaseUrl: string; rpcUrl: string; sources: Sources; to: number };

const { databaseUrl, rpcUrl, sources, to } = await readJob<FetchJob>();
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
await sendMessage({ begun: true });
const toBlock = `0x${to.toString(16)}`;
await gate.request("eth_getLogs", [{ address: sources.launchpad, topics: [], fromBlock: "0x0", toBlock }]);
await sendMessage({ done: true });
await gate.stop();
await database.end();
