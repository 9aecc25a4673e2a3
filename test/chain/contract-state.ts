import { type Address, createPublicClient, http, parseAbi } from "viem";
import type { ExpectedMarket } from "../reference-market/expected-market.ts";
import type { ReconcileOptions } from "../reference-market/reconcile.ts";
import { type ExpectedRow, rowDifferences } from "../reference-market/row-differences.ts";
import { testSchema } from "../service/indexer.ts";

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function totalSupply() view returns (uint256)",
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function tokens(address) view returns (address creator, uint8 burnPercent)",
  "function curves(address) view returns (uint256 virtualBnbReserves, uint256 virtualTokenReserves, uint256 realTokenReserves, uint256 tokensSold, uint256 totalToSell, uint8 burnPercent, bool graduated)",
  "function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)",
  "function token0() view returns (address)",
]);

type Options = ReconcileOptions & { expected: ExpectedMarket };
type Client = ReturnType<typeof createBatchingClient>;

/** Returns where the tables' tokens, curves, balances and pairs differ from what the contracts return. */
export async function stateDifferences(options: Options): Promise<string[]> {
  const { rpcUrl, chainId, database, expected } = options;
  const client = createBatchingClient(rpcUrl);
  const [states, pairs] = await Promise.all([
    Promise.all(expected.created.map(({ args }) => tokenState(client, args.token, options))),
    pairStates(client, expected),
  ]);
  const created = expected.created.map((event, index): ExpectedRow => {
    const { token: address, salt } = event.args;
    const {
      block: created_block,
      logIndex: created_log_index,
      tx: created_tx,
      timestamp: created_at,
    } = event;
    return {
      address,
      salt,
      created_block,
      created_log_index,
      created_tx,
      created_at,
      ...states[index]?.token,
    };
  });
  const compare = async (table: string, key: string[], rows: ExpectedRow[]) =>
    rowDifferences(
      table,
      key,
      await database.query(`select * from ${testSchema}.${table} where chain_id = $1`, [chainId]),
      rows,
    );
  const found = await Promise.all([
    compare("token", ["address"], created),
    compare(
      "curve",
      ["token"],
      states.map(({ curve }) => curve),
    ),
    compare(
      "holder",
      ["token", "account"],
      states.flatMap(({ holders }) => holders),
    ),
    compare("dex_pair", ["address"], pairs),
  ]);
  return found.flat();
}

async function tokenState(client: Client, address: Address, { deployment, expected }: Options) {
  const token = { address, abi } as const;
  const { tokenFactory, launchpad } = deployment;
  const accounts = expected.holdings.holders.filter((holder) => holder.token === address);
  const [name, symbol, supply, [creator, burnPercent], curve, balances] = await Promise.all([
    client.readContract({ ...token, functionName: "name" }),
    client.readContract({ ...token, functionName: "symbol" }),
    client.readContract({ ...token, functionName: "totalSupply" }),
    client.readContract({ address: tokenFactory, abi, functionName: "tokens", args: [address] }),
    client.readContract({ address: launchpad, abi, functionName: "curves", args: [address] }),
    client.multicall({
      contracts: accounts.map(
        ({ account }) => ({ ...token, functionName: "balanceOf", args: [account] }) as const,
      ),
      allowFailure: false,
      // The chain has no Multicall3.
      deployless: true,
      batchSize: 0,
    }),
  ]);
  const holders = accounts.map(({ account, kind }, index) => ({ account, kind, balance: balances[index] }));
  const [bnb, tokens, left, sold, total, , graduated] = curve;
  return {
    token: {
      name: withoutNul(name),
      symbol: withoutNul(symbol),
      total_supply_raw: supply,
      creator: creator.toLowerCase(),
      burn_percent: burnPercent,
      launchpad: launchpad.toLowerCase(),
      holder_count: holders.filter(({ kind, balance }) => kind === "account" && balance !== 0n).length,
    },
    curve: {
      token: address,
      burn_percent: burnPercent,
      virtual_bnb_reserves: bnb,
      virtual_token_reserves: tokens,
      real_token_reserves: left,
      tokens_sold: sold,
      total_to_sell: total,
      graduated,
    },
    holders: holders.map(({ account, balance }) => ({ token: address, account, balance_raw: balance })),
  };
}

async function pairStates(client: Client, { market }: ExpectedMarket): Promise<ExpectedRow[]> {
  const graduated = [...market.curves].flatMap(([token, { graduation, dexPrice }]) =>
    graduation === undefined ? [] : [{ token, address: graduation.pair, isSynced: dexPrice !== undefined }],
  );
  return await Promise.all(
    graduated.map(async ({ token, address, isSynced }) => {
      const [[reserve0, reserve1], token0] = await Promise.all([
        client.readContract({ address, abi, functionName: "getReserves" }),
        client.readContract({ address, abi, functionName: "token0" }),
      ]);
      const isToken0 = token0.toLowerCase() === token;
      return {
        ...{ address, token, token_is_token0: isSynced ? isToken0 : null },
        token_reserves_raw: isToken0 ? reserve0 : reserve1,
        bnb_reserves_wei: isToken0 ? reserve1 : reserve0,
      };
    }),
  );
}

function createBatchingClient(rpcUrl: string) {
  return createPublicClient({ transport: http(rpcUrl, { batch: { batchSize: 200 } }), cacheTime: 0 });
}

function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}
