import { type Address, createPublicClient, type Hex, http, parseAbi } from "viem";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import type { OpenDatabase } from "./database.ts";
import { testSchema } from "./indexer.ts";

/*
 * Compares the index with the chain, token by token and holder by holder. It reads the chain with ABIs and
 * arithmetic of its own and shares nothing with the handlers.
 */

const abi = parseAbi([
  "event TokenCreated(address indexed token, address indexed creator, string name, string symbol, uint8 burnPercent, uint256 totalSupply, bytes32 salt)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Trade(address indexed token, address indexed trader, bool isBuy, uint256 bnbAmount, uint256 tokenAmount, uint256 virtualBnbReserves, uint256 virtualTokenReserves)",
  "event Graduated(address indexed token, address indexed pair, uint256 bnbLiquidity, uint256 tokenLiquidity)",
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "function balanceOf(address) view returns (uint256)",
  "function totalSupply() view returns (uint256)",
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function tokens(address) view returns (address creator, uint8 burnPercent)",
  "function curves(address) view returns (uint256 virtualBnbReserves, uint256 virtualTokenReserves, uint256 realTokenReserves, uint256 tokensSold, uint256 totalToSell, uint8 burnPercent, bool graduated)",
  "function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)",
  "function token0() view returns (address)",
]);

const burnAddresses = [`0x${"0".repeat(40)}`, "0x000000000000000000000000000000000000dead"];

export type ReconcileOptions = {
  rpcUrl: string;
  chainId: number;
  deployment: Pick<LaunchpadDeployment, "tokenFactory" | "launchpad">;
  database: OpenDatabase;
};

type Row = Record<string, unknown>;

/** What of the index differs from the chain: a line for each difference, none when they agree. */
export async function differences({
  rpcUrl,
  chainId,
  deployment,
  database,
}: ReconcileOptions): Promise<string[]> {
  const client = createPublicClient({ transport: http(rpcUrl, { batch: { batchSize: 500 } }), cacheTime: 0 });
  const found: string[] = [];
  const expectSame = (what: string, indexed: unknown, onChain: unknown) => {
    if (String(indexed) !== String(onChain)) found.push(`${what}: index ${indexed}, chain ${onChain}`);
  };
  const rows = (table: string, order: string) =>
    database.query<Row>(`select * from ${testSchema}.${table} where chain_id = $1 order by ${order}`, [
      chainId,
    ]);
  const logs = async (
    name: "TokenCreated" | "Trade" | "Graduated" | "Transfer" | "Swap",
    address: Address[],
  ) => {
    const event = abi.find((item) => item.type === "event" && item.name === name);
    if (event?.type !== "event" || address.length === 0) return [];
    return await client.getLogs({ event, address, fromBlock: 0n, toBlock: "latest" });
  };
  const read = async (address: Address, functionName: string, args: unknown[] = []) =>
    (await client.readContract({ address, abi, functionName, args } as never)) as unknown;

  const created = (await logs("TokenCreated", [deployment.tokenFactory])).map(
    ({ args, blockNumber, logIndex, transactionHash }) => ({
      ...(args as { token: Address; creator: Address; burnPercent: number; salt: Hex }),
      blockNumber,
      logIndex,
      transactionHash,
    }),
  );
  const [tokens, curves, trades, holders, pairs] = await Promise.all([
    rows("token", "address"),
    rows("curve", "token"),
    rows("trade", "id"),
    rows("holder", "token, account"),
    rows("dex_pair", "address"),
  ]);
  expectSame("number of tokens", tokens.length, created.length);
  expectSame("number of curves", curves.length, created.length);

  const graduations = (await logs("Graduated", [deployment.launchpad])).map(
    ({ args, blockNumber, logIndex }) => ({
      ...(args as { token: Address; pair: Address }),
      at: [blockNumber, logIndex] as const,
    }),
  );
  const pairOf = new Map(graduations.map(({ token, pair }) => [lower(token), lower(pair)]));
  const graduatedAt = new Map(graduations.map(({ pair, at }) => [lower(pair), at]));
  const swaps = await logs("Swap", [...pairOf.values()]);
  // Swaps before graduation belong to whoever toyed with the pair then, not to the token's market.
  const marketSwaps = swaps.filter((log) => {
    const [block, index] = graduatedAt.get(lower(log.address)) ?? [0n, 0];
    return log.blockNumber > block || (log.blockNumber === block && log.logIndex > index);
  });
  const curveTrades = await logs("Trade", [deployment.launchpad]);
  const tradeIds = [...curveTrades, ...marketSwaps]
    .map((log) => `${log.blockNumber}-${log.logIndex}-${log.transactionHash}`)
    .sort();
  expectSame(
    "trades",
    trades.map((trade) => `${trade.block}-${trade.log_index}-${trade.tx}`).sort(),
    tradeIds,
  );
  for (const log of curveTrades) {
    const args = log.args as {
      token: Address;
      trader: Address;
      isBuy: boolean;
      bnbAmount: bigint;
      tokenAmount: bigint;
    };
    const trade = trades.find((row) => row.tx === log.transactionHash && row.log_index === log.logIndex);
    expectSame(
      `trade ${log.blockNumber}-${log.logIndex}`,
      [trade?.venue, trade?.token, trade?.trader, trade?.side, trade?.bnb_amount, trade?.token_amount],
      [
        "curve",
        lower(args.token),
        lower(args.trader),
        args.isBuy ? "buy" : "sell",
        args.bnbAmount,
        args.tokenAmount,
      ],
    );
  }

  const transfers = await logs(
    "Transfer",
    created.map(({ token }) => token),
  );
  const accountsOf = new Map<string, Set<string>>();
  for (const { address, args } of transfers) {
    const { from, to } = args as { from: Address; to: Address };
    const accounts = accountsOf.get(lower(address)) ?? new Set();
    accountsOf.set(lower(address), accounts.add(lower(from)).add(lower(to)));
  }
  const balances = new Map(holders.map((row) => [`${row.token} ${row.account}`, row]));

  for (const creation of created) {
    const address = lower(creation.token);
    const row = tokens.find((token) => token.address === address);
    if (row === undefined) {
      found.push(`token ${address}: not indexed`);
      continue;
    }
    const [name, symbol, totalSupply, entry, block] = await Promise.all([
      read(address, "name"),
      read(address, "symbol"),
      read(address, "totalSupply"),
      read(deployment.tokenFactory, "tokens", [address]),
      client.getBlock({ blockNumber: creation.blockNumber ?? 0n }),
    ]);
    const [creator, burnPercent] = entry as [Address, number];
    expectSame(
      `token ${address}`,
      JSON.stringify([
        row.name,
        row.symbol,
        row.total_supply,
        row.creator,
        row.burn_percent,
        row.salt,
        row.launchpad,
      ]),
      JSON.stringify([
        withoutNul(name as string),
        withoutNul(symbol as string),
        String(totalSupply),
        lower(creator),
        burnPercent,
        creation.salt,
        lower(deployment.launchpad),
      ]),
    );
    expectSame(
      `creation of ${address}`,
      [row.created_block, row.created_log_index, row.created_tx, row.created_at],
      [creation.blockNumber, creation.logIndex, creation.transactionHash, block.timestamp],
    );

    const curve = curves.find((candidate) => candidate.token === address);
    expectSame(
      `curve of ${address}`,
      [
        curve?.virtual_bnb_reserves,
        curve?.virtual_token_reserves,
        curve?.real_token_reserves,
        curve?.tokens_sold,
        curve?.total_to_sell,
        curve?.burn_percent,
        curve?.graduated,
      ],
      await read(deployment.launchpad, "curves", [address]),
    );
    expectSame(`pair of ${address}`, curve?.pair ?? undefined, pairOf.get(address));
    expectSame(`progress of ${address}`, curve?.progress === 100, curve?.graduated);

    const accounts = [...(accountsOf.get(address) ?? [])];
    const onChain = await Promise.all(accounts.map((account) => read(address, "balanceOf", [account])));
    let holderCount = 0;
    for (const [index, account] of accounts.entries()) {
      const indexed = balances.get(`${address} ${account}`);
      expectSame(`balance of ${account} in ${address}`, indexed?.balance ?? 0n, onChain[index]);
      const isHolder = ![lower(deployment.launchpad), pairOf.get(address), ...burnAddresses].includes(
        account as Address,
      );
      if (isHolder && (onChain[index] as bigint) > 0n) holderCount++;
      balances.delete(`${address} ${account}`);
    }
    expectSame(`holderCount of ${address}`, row.holder_count, holderCount);
  }

  for (const pair of pairs) {
    const address = pair.address as Address;
    const [reserve0, reserve1] = (await read(address, "getReserves")) as [bigint, bigint];
    const isToken0 = lower((await read(address, "token0")) as Address) === pair.token;
    expectSame(
      `reserves of pair ${address}`,
      [pair.token_reserves, pair.bnb_reserves],
      isToken0 ? [reserve0, reserve1] : [reserve1, reserve0],
    );
  }
  expectSame("pairs", pairs.map(({ address }) => address).sort(), [...pairOf.values()].sort());
  for (const [key, { balance, kind }] of balances) {
    // A row may exist before the first transfer only for a pair, which graduation names.
    if (kind !== "pair" || String(balance) !== "0")
      found.push(`holder ${key}: not on the chain, balance ${balance}`);
  }
  return found;
}

function lower(address: string): Address {
  return address.toLowerCase() as Address;
}

function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}
