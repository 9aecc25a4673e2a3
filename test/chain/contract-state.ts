import type { Address } from "viem";
import { onConnection } from "../../offchain/connection.ts";
import { type Check, readChecks } from "../../verify/checks.ts";
import { compareChecks, describe } from "../../verify/compare.ts";
import { createCallReader } from "../../verify/read-calls.ts";
import type { ExpectedMarket } from "../reference-market/expected-market.ts";
import type { ReconcileOptions } from "../reference-market/reconcile.ts";
import { type ExpectedRow, rowDifferences } from "../reference-market/row-differences.ts";

type Options = ReconcileOptions & { schema: string; expected: ExpectedMarket };

/** Later than any: at this checkpoint every row is final. */
const lastCheckpoint = "9".repeat(75);

/**
 * Returns where the tables' tokens, curves, balances and pairs differ from what the contracts return at the chain's head, and where
 * tokens or pairs are missing.
 */
export async function stateDifferences({
  rpcUrl,
  chainId,
  database,
  schema,
  deployment,
  expected,
}: Options): Promise<string[]> {
  const { head, created, holdings } = expected;
  const chain = {
    id: chainId,
    tokenFactory: lowerCase(deployment.tokenFactory),
    launchpad: lowerCase(deployment.launchpad),
  };
  const block = Number(head.number);
  const final = { chainId, checkpoint: lastCheckpoint, block, timestamp: Number(head.timestamp) };
  const selection = { balances: holdings.holders, tokens: created.map(({ args }) => args.token) };
  const checks: Check[] = await onConnection(database.url, (client) =>
    readChecks({ client, final }, { schema, chain }, selection),
  );
  const compareTable = async (table: string, rows: ExpectedRow[]) =>
    rowDifferences(
      table,
      ["address"],
      await database.query(`select * from ${schema}.${table} where chain_id = $1`, [chainId]),
      rows,
    );
  const [ofValues, ...ofTables] = await Promise.all([
    compareChecks(checks, { reader: createCallReader([rpcUrl]), chainId, block }),
    compareTable("token", expectedTokens(expected, chain.launchpad)),
    compareTable("dex_pair", expectedPairs(expected)),
  ]);
  return [...ofValues.map(describe), ...ofTables.flat()];
}

/** Returns the rows of `token`, without the columns that are compared with the contracts. */
const expectedTokens = ({ created, holdings, launched }: ExpectedMarket, launchpad: Address): ExpectedRow[] =>
  created.map(({ args, block, logIndex, tx, timestamp }) => ({
    address: args.token,
    name: withoutNul(args.name),
    symbol: withoutNul(args.symbol),
    salt: args.salt,
    launchpad,
    launch_supply_raw: launched.get(args.token) ?? 0n,
    holder_count: holdings.holders.filter(
      ({ token, kind, balance }) => token === args.token && kind === "account" && balance !== 0n,
    ).length,
    created_block: block,
    created_log_index: logIndex,
    created_tx: tx,
    created_at: timestamp,
  }));

const expectedPairs = ({ market, pairsWithToken0 }: ExpectedMarket): ExpectedRow[] =>
  [...market.curves].flatMap(([token, { graduation, pairChangedAt }]) =>
    graduation === undefined
      ? []
      : [
          {
            address: graduation.pair,
            token,
            token_is_token0: pairsWithToken0.has(graduation.pair),
            changed_at: pairChangedAt,
          },
        ],
  );

const withoutNul = (text: string) => text.replaceAll("\0", "");
const lowerCase = (address: string) => address.toLowerCase() as Address;
