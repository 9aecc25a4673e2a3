import { Worker } from "node:worker_threads";
import { custom, type Transport } from "viem";
import type { EndpointStatus } from "./endpoint-status.ts";
import { type Answer, type GateSettings, type Question, statusMethod } from "./messages.ts";

type Gate = {
  request: (question: Omit<Question, "id">) => Promise<unknown>;
  settings: string;
  stop: () => void;
};

// Ponder loads its config anew when a file of it is edited, in the same process.
const running = globalThis as { LAUNCHPAD_GATE?: Gate };

/**
 * Ponder's transport to a chain. The gate starts with the first question, in a thread of its own, and ends with the process.
 */
export function gateTransport(settings: GateSettings, chainId: number): Transport {
  return custom(
    {
      request: ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
        gateOf(settings).request({ chainId, method, params }),
    },
    { retryCount: 0 },
  );
}

/** How the endpoints of each chain do. Empty where no chain is read by us, as in a process that only serves. */
export async function readEndpointStatus(): Promise<ReadonlyMap<number, EndpointStatus[]>> {
  const gate = running.LAUNCHPAD_GATE;
  if (gate === undefined) return new Map();
  return (await gate.request({ chainId: 0, method: statusMethod, params: [] })) as Map<
    number,
    EndpointStatus[]
  >;
}

function gateOf(settings: GateSettings): Gate {
  const text = JSON.stringify(settings);
  if (running.LAUNCHPAD_GATE?.settings !== text) {
    running.LAUNCHPAD_GATE?.stop();
    running.LAUNCHPAD_GATE = startGate(settings, text);
  }
  return running.LAUNCHPAD_GATE;
}

function startGate(workerData: GateSettings, settings: string): Gate {
  // Without this process's own arguments: what is loaded before Ponder is not for the gate.
  const worker = new Worker(new URL("worker.ts", import.meta.url), { workerData, execArgv: [] });
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  worker.unref();
  worker.on("message", (answer: Answer) => {
    const { resolve, reject } = pending.get(answer.id) ?? Promise.withResolvers();
    pending.delete(answer.id);
    if ("error" in answer)
      reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
    else resolve(answer.result);
  });
  const end = (error: Error) => {
    if (running.LAUNCHPAD_GATE?.settings === settings) delete running.LAUNCHPAD_GATE;
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
      worker.postMessage({ id, ...question } satisfies Question);
      return await asked.promise;
    },
    stop: () => void worker.terminate(),
  };
}
