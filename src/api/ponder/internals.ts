import type pg from "pg";

/**
 * What this folder takes from Ponder beyond its documented interface. Ponder sets it before it loads the API; elsewhere, as in
 * tests, it is undefined. `internals.test.ts` compares it with the installed version.
 */
type PonderInternals = {
  PONDER_COMMON?: {
    metrics: { getMetrics(): Promise<string> };
    /** Runs what is added before the HTTP server closes. Each server that Ponder starts has another one. */
    apiShutdown: { add: (callback: () => Promise<void>) => void };
  };
  PONDER_DATABASE?: {
    /** The connections behind GraphQL, /ready and /status. */
    driver: { readonly: PonderPool };
  };
};

export type PonderPool = pg.Pool & {
  options: pg.PoolConfig & { onConnect?: (client: pg.ClientBase) => Promise<unknown> };
};

const internals = globalThis as PonderInternals;

export const ponderDatabase = () => internals.PONDER_DATABASE;
export const ponderMetrics = () => internals.PONDER_COMMON?.metrics;
export const ponderShutdown = () => internals.PONDER_COMMON?.apiShutdown;
