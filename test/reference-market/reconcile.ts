import type { Address } from "viem";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { stateDifferences } from "../chain/contract-state.ts";
import type { OpenDatabase } from "../service/database.ts";
import { expectedMarket } from "./expected-market.ts";
import { marketDifferences } from "./market-differences.ts";

export type ReconcileOptions = {
  rpcUrl: string;
  chainId: number;
  deployment: Pick<LaunchpadDeployment, "tokenFactory" | "launchpad">;
  database: OpenDatabase;
  /** Contracts that emit the answers of a BNB/USD feed, where the index has any. */
  priceFeeds?: Address[];
};

/**
 * What of the index differs from the chain: a line for each difference, none when they agree. It compares what
 * the contracts say of themselves, and the market with what the logs tell. It reads the chain with ABIs and arithmetic of
 * its own and shares nothing with the handlers.
 */
export async function differences(options: ReconcileOptions): Promise<string[]> {
  const expected = await expectedMarket(options);
  const [ofState, ofMarket] = await Promise.all([
    stateDifferences({ ...options, expected }),
    marketDifferences({ ...options, expected }),
  ]);
  return [...ofState, ...ofMarket];
}
