import type { EndpointStatus } from "../../../chain-access/gate/endpoint-status.ts";
import { chainNames } from "../../../config/chains.ts";
import type { ChainSettings } from "../../../config/env.ts";
import type { PooledDatabase } from "../database/database.ts";
import type { ReadRoute } from "../database/read-route.ts";
import type { Problem } from "../http/problem.ts";
import { readIndexStatePrepared } from "../ponder/index-state.query.ts";
import type { Repair } from "./freshness.query.ts";
import type { ReplicaReport, SelfCheckReport } from "./index-report.schema.ts";
import { databaseUnavailable } from "./ready.ts";

type ChainStatus = {
  id: number;
  block: { number: number; timestamp: number };
  /** The RPC endpoints, if this process reads the chain. */
  endpoints?: EndpointStatus[];
  /** How the index compares with the contracts, if this process compares them. */
  selfCheck?: SelfCheckReport;
  /** Why this index is being made again in another schema. Absent if it isn't. */
  repairs?: RepairStatus[];
};

type RepairStatus = Pick<Repair, "cause" | "fromBlock" | "token" | "reason"> & {
  requestedAt: string;
  /** The schema that is, or was, indexed instead; null until that begins. */
  schema: string | null;
};

export type StatusDeps = {
  /** Where answers are read from. */
  db: PooledDatabase;
  route?: Pick<ReadRoute, "report"> | undefined;
  chains: ChainSettings[];
  readEndpoints: () => Promise<ReadonlyMap<number, EndpointStatus[]>>;
  readSelfCheck: (chainId: number) => SelfCheckReport | undefined;
  readRepairs: () => Promise<readonly Repair[]>;
};

type Status = Record<string, ChainStatus | ReplicaReport>;

/**
 * Answers GET /status in place of Ponder: each chain's last indexed block, RPC endpoints, comparison with the contracts and repairs, and
 * the replica if this process reads from one.
 */
export function createStatus(deps: StatusDeps) {
  const { db, route, chains, readEndpoints, readSelfCheck, readRepairs } = deps;
  return async (): Promise<Status | Problem> => {
    try {
      const [state, endpoints, repairs, replica] = await Promise.all([
        readIndexStatePrepared(db),
        readEndpoints(),
        readRepairs(),
        route?.report(),
      ]);
      const ofChains: Status = Object.fromEntries(
        chains.flatMap(({ id }) => {
          const indexed = state.chains.find(({ chainId }) => chainId === id);
          if (indexed === undefined) return [];
          const { block, timestamp } = indexed;
          const ofChain = endpoints.get(id);
          const selfCheck = readSelfCheck(id);
          const ofRepairs = repairs.filter(({ chainId }) => chainId === id).map(toRepairStatus);
          const status: ChainStatus = {
            id,
            block: { number: block, timestamp },
            ...(ofChain === undefined ? {} : { endpoints: ofChain }),
            ...(selfCheck === undefined ? {} : { selfCheck }),
            ...(ofRepairs.length === 0 ? {} : { repairs: ofRepairs }),
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

const toRepairStatus = (repair: Repair): RepairStatus => ({
  cause: repair.cause,
  fromBlock: repair.fromBlock,
  token: repair.token,
  reason: repair.reason,
  requestedAt: repair.requestedAt.toISOString(),
  schema: repair.repairedIn,
});
