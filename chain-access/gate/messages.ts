import type { Sources } from "../sources/sources.ts";

/** The settings that the gate's thread is started with. */
export type GateSettings = {
  databaseUrl: string | undefined;
  /** Selects the time, in seconds since 1970, up to which the index of the chain $1 is final. Its table may not exist yet. */
  indexedTimeQuery: string;
  /** The Postgres schema that is indexed. */
  schema: string;
  /** Whether progress is shown on a terminal, and so reported more often. */
  isForTerminal: boolean;
  chains: {
    sources: Sources;
    rpcUrls: readonly string[];
    webSocketUrls: readonly string[];
    portal: { url: string } | undefined;
    pollingMs: number;
  }[];
};

/** In place of a JSON-RPC method: asks for the endpoint status of all chains. */
export const statusMethod = "status";

/** In place of a JSON-RPC method: asks how many logs followed blocks lacked, by chain. */
export const lossesMethod = "losses";

/** One of Ponder's JSON-RPC requests. */
export type GateRequest = { id: number; chainId: number; method: string; params: readonly unknown[] };

export type GateResponse =
  | { id: number; result: unknown }
  | { id: number; error: { code: number; message: string } };
