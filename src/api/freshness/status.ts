import type { EndpointStatus } from "../../../chain-access/gate/endpoint-status.ts";
import { chainNames } from "../../../config/chains.ts";
import type { ChainSettings } from "../../../config/env.ts";
import type { PooledDatabase } from "../database/database.ts";
import type { Problem } from "../http/problem.ts";
import { readIndexStateOften } from "../ponder/index-state.query.ts";
import { databaseAway } from "./ready.ts";

type ChainStatus = {
  id: number;
  block: { number: number; timestamp: number };
  /** The RPC endpoints, where this process reads the chain. */
  endpoints?: EndpointStatus[];
};

export type StatusDeps = {
  db: PooledDatabase;
  chains: ChainSettings[];
  readEndpoints: () => Promise<ReadonlyMap<number, EndpointStatus[]>>;
};

/** Answers GET /status in place of Ponder: the last indexed block of each chain, and how its RPC endpoints do. */
export function createStatus({ db, chains, readEndpoints }: StatusDeps) {
  return async (): Promise<Record<string, ChainStatus> | Problem> => {
    try {
      const [state, endpoints] = await Promise.all([readIndexStateOften(db), readEndpoints()]);
      return Object.fromEntries(
        chains.flatMap(({ id }) => {
          const indexed = state.chains.find(({ chainId }) => chainId === id);
          if (indexed === undefined) return [];
          const { block, timestamp } = indexed;
          const ofChain = endpoints.get(id);
          const status: ChainStatus = {
            id,
            block: { number: block, timestamp },
            ...(ofChain === undefined ? {} : { endpoints: ofChain }),
          };
          return [[chainNames[id], status]];
        }),
      );
    } catch {
      return databaseAway;
    }
  };
}
