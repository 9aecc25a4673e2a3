import type { EndpointStatus } from "../../../chain-access/gate/endpoint-status.ts";
import { chainNames } from "../../../config/chains.ts";
import type { ChainSettings } from "../../../config/env.ts";
import type { PooledDatabase } from "../database/database.ts";
import type { ReadRoute } from "../database/read-route.ts";
import type { Problem } from "../http/problem.ts";
import { readIndexStatePrepared } from "../ponder/index-state.query.ts";
import { databaseUnavailable } from "./ready.ts";
import type { ReplicaReport } from "./replica-report.schema.ts";
import type { SelfCheckReport } from "./self-check-report.schema.ts";

type ChainStatus = {
  id: number;
  block: { number: number; timestamp: number };
  /** The RPC endpoints, if this process reads the chain. */
  endpoints?: EndpointStatus[];
  /** How the index compares with the contracts, if this process compares them. */
  selfCheck?: SelfCheckReport;
};

export type StatusDeps = {
  /** Where answers are read from. */
  db: PooledDatabase;
  route?: Pick<ReadRoute, "report"> | undefined;
  chains: ChainSettings[];
  readEndpoints: () => Promise<ReadonlyMap<number, EndpointStatus[]>>;
  readSelfCheck: (chainId: number) => SelfCheckReport | undefined;
};

type Status = Record<string, ChainStatus | ReplicaReport>;

/**
 * Answers GET /status in place of Ponder: each chain's last indexed block, RPC endpoints and comparison with the contracts, and the
 * replica if this process reads from one.
 */
export function createStatus({ db, route, chains, readEndpoints, readSelfCheck }: StatusDeps) {
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
          const selfCheck = readSelfCheck(id);
          const status: ChainStatus = {
            id,
            block: { number: block, timestamp },
            ...(ofChain === undefined ? {} : { endpoints: ofChain }),
            ...(selfCheck === undefined ? {} : { selfCheck }),
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
