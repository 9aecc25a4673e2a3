import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { createEndpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { createHistory } from "../history/history.ts";
import { readStoredLogs } from "../history/stored-events.ts";
import { createPool } from "../pool/pool.ts";
import { createChildren } from "../sources/children.ts";
import { eventTopics } from "../sources/events.ts";
import type { Hex } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { statusOf } from "./endpoint-status.ts";
import { readHeads } from "./heads.ts";
import { reportHealth } from "./report-health.ts";
import { reportProgress } from "./report-progress.ts";
import { createSeldomLog } from "./seldom-log.ts";
import { watchChain } from "./watch-chain.ts";

/** Blocks behind the head that Ponder takes for final, on chains that it has no number for. */
export const finalityBlocks = 30;
/** Milliseconds between two looks at the heads of the endpoints. */
const lookAtHeadsMs = 3_000;

export type ChainGateDeps = {
  sources: Sources;
  rpcUrls: readonly string[];
  database: pg.Pool;
  log: (line: string) => void;
};

type LogQuery = { address?: Hex | Hex[]; topics?: (Hex | Hex[] | null)[]; fromBlock: Hex; toBlock: Hex };

/** Answers what Ponder asks of a chain. */
export function createChainGate({ sources, rpcUrls, database, log }: ChainGateDeps) {
  const endpoints = rpcUrls.map((url, index) => createEndpoint({ url, name: `endpoint ${index + 1}` }));
  const pool = createPool({
    endpoints,
    onLie: (endpoint, { message }) => logSeldom(endpoint, `gave a wrong answer: ${message}`),
  });
  const logSeldom = createSeldomLog(log);
  const children = createChildren(sources);
  const history = createHistory({
    pool,
    database,
    sources,
    children,
    readFinalized: async () => Math.max(0, (await readHead()) - finalityBlocks),
    onFailure: (error) => log(`history: ${(error as Error).message}; trying again`),
  });

  async function readHead(): Promise<number> {
    for (;;) {
      const head = await readHeads(endpoints);
      if (head !== undefined) return head;
      await delay(200);
    }
  }

  const timer = setInterval(() => void readHeads(endpoints), lookAtHeadsMs);
  const watch = watchChain({ chainId: sources.chainId, endpoints, database, finalityBlocks, log });
  const endReports = [reportHealth(endpoints, log), reportProgress(history, endpoints, log)];

  /** A block's header. Waits for an endpoint that has it. */
  async function readHeader(number: number): Promise<unknown> {
    const { results } = await pool.send(
      [{ method: "eth_getBlockByNumber", params: [`0x${number.toString(16)}`, false] }],
      {
        block: number,
        check: ([block]) => {
          if (block === null) throw new EndpointFault("server", `no block ${number}`);
        },
      },
    );
    return results[0];
  }

  async function readLogs({ address, topics = [], fromBlock, toBlock }: LogQuery): Promise<unknown> {
    const range = { from: Number(fromBlock), to: Number(toBlock) };
    await history.ensure(range);
    const topic = [topics[0]].flat()[0] ?? "0x";
    const isFactory = Array.isArray(address) && isNaming.has(topic);
    if (!isFactory) return [];
    const contract = address[0] as Hex;
    return await readStoredLogs(database, sources.chainId, { address: contract, topic, ...range });
  }

  return {
    async request(method: string, params: readonly unknown[]): Promise<unknown> {
      await watch.whenKnown();
      const [first, isFull] = params;
      if (method === "eth_getLogs" && "fromBlock" in (first as LogQuery))
        return await readLogs(first as LogQuery);
      if (method === "eth_getBlockByNumber" && isFull === false) {
        return await readHeader(first === "latest" ? await readHead() : Number(first));
      }
      const { results } = await pool.send([{ method, params }], { isUrgent: true });
      return results[0];
    },

    status: () => statusOf(endpoints),

    async stop(): Promise<void> {
      clearInterval(timer);
      watch.stop();
      for (const end of endReports) end();
      await history.stop();
    },
  };
}

/** The events that name contracts: only their logs does Ponder take from us, all others from the database. */
const isNaming = new Set<string>([eventTopics.tokenCreated, eventTopics.graduated]);
