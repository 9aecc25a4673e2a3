// The thread of the gate: answers Ponder's questions beside the thread that indexes.
import { parentPort, workerData } from "node:worker_threads";
import pg from "pg";
import { EndpointFault } from "../endpoint/fault.ts";
import { createChainGate } from "./chain-gate.ts";
import { type Answer, type GateSettings, type Question, statusMethod } from "./messages.ts";

const { databaseUrl, isForTerminal, chains } = workerData as GateSettings;
const database = new pg.Pool({ connectionString: databaseUrl, max: 4, application_name: "chain_access" });
// A server that stops cuts idle connections. Queries reject for their callers.
database.on("error", () => {});

const gates = new Map(
  chains.map(({ sources, ...access }) => [
    sources.chainId,
    createChainGate({
      sources,
      ...access,
      isForTerminal,
      database,
      log: (line) => console.log(`chain ${sources.chainId}: ${line}`),
    }),
  ]),
);

parentPort?.on("message", async ({ id, chainId, method, params }: Question) => {
  parentPort?.postMessage(
    (await answer(chainId, method, params).then(
      (result) => ({ id, result }),
      (error: unknown) => ({ id, error: toError(error) }),
    )) satisfies Answer,
  );
});

async function answer(chainId: number, method: string, params: readonly unknown[]): Promise<unknown> {
  if (method === statusMethod) return new Map([...gates].map(([id, gate]) => [id, gate.status()]));
  const gate = gates.get(chainId);
  if (gate === undefined) throw new Error(`chain ${chainId} is not configured`);
  return await gate.request(method, params);
}

/** -32603 is JSON-RPC's internal error, after which Ponder asks again. */
const toError = (error: unknown) => ({
  code: (error instanceof EndpointFault ? error.code : undefined) ?? -32603,
  message: error instanceof Error ? error.message : String(error),
});
