import { Worker } from "node:worker_threads";
import { custom, numberToHex, type Transport } from "viem";
import { ignore } from "../../config/async.ts";
import { feedStartBlock } from "../../config/chains.ts";
import type { ChainSettings } from "../../config/env.ts";
import { isShownOnTerminal } from "../../config/process-environment.ts";
import type { EndpointStatus } from "./endpoint-status.ts";
import {
  type GateRequest,
  type GateResponse,
  type GateSettings,
  lossesMethod,
  statusMethod,
} from "./messages.ts";

type Gate = {
  request: (question: Omit<GateRequest, "id">) => Promise<unknown>;
  settings: string;
  stop: () => void;
};

// In development Ponder reloads its config within the same process, so the gate is kept in a global.
declare global {
  var LAUNCHPAD_GATE: Gate | undefined;
}

/**
 * Ponder's transport to a chain. The gate starts with the first request, in its own thread, and ends with the process. Ponder begins
 * by asking for the chain's id, and gets the configured one at once. `npm start` has compared those of the endpoints that answered it;
 * of one that answers later, the log says so.
 */
export function gateTransport(settings: GateSettings, chainId: number): Transport {
  return custom(
    {
      async request({ method, params = [] }: { method: string; params?: readonly unknown[] }) {
        const answer = getGate(settings).request({ chainId, method, params });
        if (method !== "eth_chainId") return await answer;
        void answer.then((id) => {
          if (Number(id) !== chainId)
            console.warn(`an endpoint of chain ${chainId} serves chain ${Number(id)}`);
        }, ignore);
        return numberToHex(chainId);
      },
    },
    { retryCount: 0 },
  );
}

/** The status of each chain's endpoints. Empty if this process reads no chain, as when it only serves. */
export const readEndpointStatus = (): Promise<ReadonlyMap<number, EndpointStatus[]>> => askAll(statusMethod);

/** How many logs followed blocks lacked, by chain, since startup. Empty if this process reads no chain. */
export const readLiveLosses = (): Promise<ReadonlyMap<number, number>> => askAll(lossesMethod);

/** Asks for something about each chain. */
async function askAll<Value>(method: string): Promise<ReadonlyMap<number, Value>> {
  const gate = globalThis.LAUNCHPAD_GATE;
  if (gate === undefined) return new Map();
  return (await gate.request({ chainId: 0, method, params: [] })) as Map<number, Value>;
}

function getGate(settings: GateSettings): Gate {
  const text = JSON.stringify(settings);
  if (globalThis.LAUNCHPAD_GATE?.settings !== text) {
    globalThis.LAUNCHPAD_GATE?.stop();
    globalThis.LAUNCHPAD_GATE = startGate(settings, text);
  }
  return globalThis.LAUNCHPAD_GATE;
}

function startGate(workerData: GateSettings, settings: string): Gate {
  // No execArgv: the modules that are preloaded for Ponder are not for the gate.
  const worker = new Worker(new URL("worker.ts", import.meta.url), { workerData, execArgv: [] });
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  worker.unref();
  worker.on("message", (answer: GateResponse) => {
    const { resolve, reject } = pending.get(answer.id) ?? Promise.withResolvers();
    pending.delete(answer.id);
    if ("error" in answer)
      reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
    else resolve(answer.result);
  });
  const end = (error: Error) => {
    if (globalThis.LAUNCHPAD_GATE?.settings === settings) delete globalThis.LAUNCHPAD_GATE;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  worker.on("error", (error) => {
    console.error("chain access ended unexpectedly:", error);
    end(error);
  });
  worker.on("exit", () => end(new Error("chain access has ended")));

  return {
    settings,
    async request(question) {
      const id = ++lastId;
      const asked = Promise.withResolvers<unknown>();
      pending.set(id, asked);
      worker.postMessage({ id, ...question } satisfies GateRequest);
      return await asked.promise;
    },
    stop: () => void worker.terminate(),
  };
}

/** The gate's part of the settings: those of the chains that Ponder does not read itself. */
export const gateSettings = (
  database: Pick<GateSettings, "databaseUrl" | "schema" | "indexedTimeQuery">,
  chains: ChainSettings[],
): GateSettings => ({
  ...database,
  isForTerminal: isShownOnTerminal(),
  chains: chains
    .filter(({ sync }) => sync === "built-in")
    .map((chain) => ({
      rpcUrls: chain.rpcUrls,
      webSocketUrls: chain.webSocketUrls,
      portal: chain.historySource === undefined ? undefined : { url: chain.historySource },
      pollingMs: chain.pollingInterval,
      sources: {
        chainId: chain.id,
        tokenFactory: chain.tokenFactory,
        launchpad: chain.launchpad,
        priceFeeds: chain.priceFeeds,
        startBlock: chain.startBlock,
        feedStartBlock: feedStartBlock(chain),
      },
    })),
});
