import type pg from "pg";

type Shutdown = { add: (callback: () => Promise<void>) => void };

/**
 * What this folder uses of Ponder beyond its documented interface. Ponder sets these globals before it loads the API;
 * elsewhere, as in tests, they are undefined. `internals.test.ts` compares them with the installed version.
 */
type PonderInternals = {
  PONDER_COMMON?: {
    options: { command: "dev" | "start" | "serve" };
    metrics: { getMetrics(): Promise<string> };
    /** Runs added callbacks before the HTTP server closes. Each server that Ponder starts has its own. */
    apiShutdown: Shutdown;
    /** Runs added callbacks when the process ends: in development, where every edit replaces the server, not before that. */
    buildShutdown: Shutdown;
  };
  PONDER_DATABASE?: {
    /** The pool behind GraphQL, /ready and /status. */
    driver: { readonly: PonderPool };
  };
  /** Set by runtime/ponder/serve-first.ts. */
  LAUNCHPAD_AWAITS_CHAINS?: boolean;
};

export type PonderPool = pg.Pool & {
  options: pg.PoolConfig & { onConnect?: (client: pg.ClientBase) => Promise<unknown> };
};

const internals = globalThis as PonderInternals;

export const ponderDatabase = () => internals.PONDER_DATABASE;
/** Whether this process indexes, and doesn't only serve what another one indexes. */
export const isIndexer = () => ["dev", "start"].includes(internals.PONDER_COMMON?.options.command ?? "");
export const ponderMetrics = () => internals.PONDER_COMMON?.metrics;
export const ponderShutdown = () => internals.PONDER_COMMON?.apiShutdown;
export const processShutdown = () => internals.PONDER_COMMON?.buildShutdown;
/** Whether this process is to index, and no endpoint has answered since its start. */
export const awaitsChains = () => internals.LAUNCHPAD_AWAITS_CHAINS === true;
