import type { Sources } from "../sources/sources.ts";

/** What the thread of the gate is started with. */
export type GateSettings = {
  databaseUrl: string | undefined;
  /** Whether progress is drawn on a terminal, and so told more often. */
  isForTerminal: boolean;
  chains: {
    sources: Sources;
    rpcUrls: readonly string[];
    webSocketUrls: readonly string[];
    portal: { url: string } | undefined;
    pollingMs: number;
  }[];
};

/** Instead of a JSON-RPC method: asks how the endpoints of all chains do. */
export const statusMethod = "status";

/** A JSON-RPC request of Ponder's. */
export type Question = { id: number; chainId: number; method: string; params: readonly unknown[] };

export type Answer =
  | { id: number; result: unknown }
  | { id: number; error: { code: number; message: string } };
