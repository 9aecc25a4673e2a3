// The gate's thread. It answers Ponder's requests without blocking the thread that indexes.
import { parentPort, workerData } from "node:worker_threads";
import pg from "pg";
import { connectionOptions } from "../../config/connection-options.ts";
import { codeOf } from "../../config/error-code.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { reportUnanswered, waitForConnections } from "../postgres-connections.ts";
import { createChainGate } from "./chain-gate.ts";
import {
  type GateRequest,
  type GateResponse,
  type GateSettings,
  lossesMethod,
  statusMethod,
} from "./messages.ts";

waitForConnections(console.warn);
reportUnanswered(console.warn);

const { databaseUrl, schema, indexedTimeQuery, isForTerminal, chains } = workerData as GateSettings;
const database = new pg.Pool(
  connectionOptions({ connectionString: databaseUrl, max: 4, application_name: "chain_access" }),
);
// A stopping server closes idle connections. Failed queries reject for their callers.
database.on("error", () => {});

const gates = new Map(
  chains.map(({ sources, ...access }) => [
    sources.chainId,
    createChainGate({
      sources,
      ...access,
      isForTerminal,
      database,
      readIndexedTime: () => readIndexedTime(sources.chainId),
      schema,
      log: (line, level) => console[level ?? "log"](`chain ${sources.chainId}: ${line}`),
    }),
  ]),
);

parentPort?.on("message", async ({ id, chainId, method, params }: GateRequest) => {
  parentPort?.postMessage(
    (await answer(chainId, method, params).then(
      (result) => ({ id, result }),
      (error: unknown) => ({ id, error: toError(error) }),
    )) satisfies GateResponse,
  );
});

/** 0 if the index has no tables yet, or no events of the chain. */
async function readIndexedTime(chainId: number): Promise<number> {
  try {
    const { rows } = await database.query<{ seconds: string }>(indexedTimeQuery, [chainId]);
    return Number(rows[0]?.seconds ?? 0);
  } catch (error) {
    if (codeOf(error) === undefinedTable) return 0;
    throw error;
  }
}

async function answer(chainId: number, method: string, params: readonly unknown[]): Promise<unknown> {
  if (method === statusMethod) return new Map([...gates].map(([id, gate]) => [id, gate.status()]));
  if (method === lossesMethod) return new Map([...gates].map(([id, gate]) => [id, gate.losses()]));
  const gate = gates.get(chainId);
  if (gate === undefined) throw new Error(`chain ${chainId} is not configured`);
  return await gate.request(method, params);
}

const undefinedTable = "42P01";

/** -32603 is JSON-RPC's internal error, after which Ponder retries. */
const toError = (error: unknown) => ({
  code: (error instanceof EndpointFault ? error.code : undefined) ?? -32603,
  message: error instanceof Error ? error.message : String(error),
});
