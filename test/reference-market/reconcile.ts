import type { Address } from "viem";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { stateDifferences } from "../chain/contract-state.ts";
import type { OpenDatabase } from "../service/database.ts";
import { testSchema } from "../service/indexer.ts";
import { expectedMarket } from "./expected-market.ts";
import { marketDifferences } from "./market-differences.ts";

export type ReconcileOptions = {
  rpcUrl: string;
  chainId: number;
  deployment: Pick<LaunchpadDeployment, "tokenFactory" | "launchpad">;
  database: OpenDatabase;
  /** The schema of the on-chain tables. Default: the tests' own. */
  schema?: string;
  /** The contracts that emit the answers of a BNB/USD feed, if the index has one. */
  priceFeeds?: Address[];
};

/**
 * Returns a line for each difference between the index and the chain, and none if they agree. State is compared with the contracts'
 * own getters, and the market with the logs. The chain is read with separate ABIs and arithmetic, and nothing is shared with the
 * handlers.
 */
export async function differences({ schema = testSchema, ...options }: ReconcileOptions): Promise<string[]> {
  const expected = await expectedMarket(options);
  const [ofState, ofMarket] = await Promise.all([
    stateDifferences({ ...options, schema, expected }),
    marketDifferences({ ...options, database: inSchema(options.database, schema), expected }),
  ]);
  return [...ofState, ...ofMarket];
}

/** The database as queries see it that name the tests' schema, while the tables are in another one. */
const inSchema = (database: OpenDatabase, schema: string): OpenDatabase => ({
  ...database,
  query: (text, values) => database.query(text.replaceAll(`${testSchema}.`, `${schema}.`), values),
});
