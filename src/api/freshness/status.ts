import type { EndpointStatus } from "../../../chain-access/gate/endpoint-status.ts";
import { chainNames } from "../../../config/chains.ts";
import type { ChainSettings } from "../../../config/env.ts";
import type { PooledDatabase } from "../database/database.ts";
import type { ReadRoute } from "../database/read-route.ts";
import type { Problem } from "../http/problem.ts";
import { readIndexStatePrepared } from "../ponder/index-state.query.ts";
import { databaseUnavailable } from "./ready.ts";
import type { ReplicaReport } from "./replica-report.schema.ts";

type ChainStatus = {
  id: number;
  block: { number: number; timestamp: number };
  /** The RPC endpoints, if this process reads the chain. */
  endpoints?: EndpointStatus[];
};

export type StatusDeps = {
  /** Where answers are read from. */
  db: PooledDatabase;
  route?: Pick<ReadRoute, "report"> | undefined;
  chains: ChainSettings[];
  readEndpoints: () => Promise<ReadonlyMap<number, EndpointStatus[]>>;
};

type Status = Record<string, ChainStatus | ReplicaReport>;

/**
 * Answers GET /status in place of Ponder: each chain's last indexed block and RPC endpoints, and the replica if this process reads
 * from one.
 */
export function createStatus({ db, route, chains, readEndpoints }: StatusDeps) {
  return async (): Promise<Status | Problem> => {
    try {
      const [state, endpoints, replica] = await Promise.all([
        readIndexStatePrepared(db),
        readEndpoints(),
        route?.report(),
      ]);
      const ofChains: Status = Object.fromEntries(
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
      return replica === undefined ? ofChains : { ...ofChains, replica };
    } catch {
      return databaseUnavailable;
    }
  };
}
