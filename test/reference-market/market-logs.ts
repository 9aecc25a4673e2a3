import { type Address, createPublicClient, getAddress, http, parseAbi } from "viem";
import type { LaunchpadChain } from "../chain/launchpad-chain.ts";

/*
 * The market according to the chain's logs, read with separate ABIs and arithmetic: it shares nothing with the handlers.
 */

const abi = parseAbi([
  "event Trade(address indexed token, address indexed trader, bool isBuy, uint256 bnbAmount, uint256 tokenAmount, uint256 virtualBnbReserves, uint256 virtualTokenReserves)",
  "event Graduated(address indexed token, address indexed pair, uint256 bnbLiquidity, uint256 tokenLiquidity)",
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "event Sync(uint112 reserve0, uint112 reserve1)",
]);

/** A trade with amounts in wei and base units. Addresses are checksummed. */
export type LoggedTrade = {
  token: Address;
  /** The token if the trade was on its curve, otherwise the DEX pair. */
  pair: Address;
  block: number;
  timestamp: number;
  tx: string;
  txIndex: number;
  logIndex: number;
  maker: Address;
  isBuy: boolean;
  bnb: bigint;
  tokens: bigint;
  bnbReserves: bigint;
  tokenReserves: bigint;
};

/** Reads all trades up to the block, in the order of the chain. */
export async function tradesInLogs(chain: LaunchpadChain, toBlock: bigint): Promise<LoggedTrade[]> {
  const client = createPublicClient({ transport: http(chain.rpcUrl, { batch: { batchSize: 500 } }) });
  const range = { fromBlock: 0n, toBlock } as const;
  const { launchpad } = chain.deployment;
  const [traded, graduated, swapped, synced] = await Promise.all([
    client.getLogs({ address: launchpad, event: abi[0], ...range, strict: true }),
    client.getLogs({ address: launchpad, event: abi[1], ...range, strict: true }),
    client.getLogs({ event: abi[2], ...range, strict: true }),
    client.getLogs({ event: abi[3], ...range, strict: true }),
  ]);
  const blocks = new Map<bigint, Promise<number>>();
  const timeOf = (blockNumber: bigint) => {
    const known =
      blocks.get(blockNumber) ?? client.getBlock({ blockNumber }).then((b) => Number(b.timestamp));
    blocks.set(blockNumber, known);
    return known;
  };
  const placeOf = async (log: (typeof traded)[number] | (typeof swapped)[number]) => ({
    block: Number(log.blockNumber),
    timestamp: await timeOf(log.blockNumber),
    tx: log.transactionHash as string,
    txIndex: log.transactionIndex,
    logIndex: log.logIndex,
  });

  const onCurves = traded.map(async (log): Promise<LoggedTrade> => {
    const { token, trader, isBuy, bnbAmount, tokenAmount, virtualBnbReserves, virtualTokenReserves } =
      log.args;
    return {
      ...(await placeOf(log)),
      ...{ token, pair: token, maker: trader, isBuy, bnb: bnbAmount, tokens: tokenAmount },
      ...{ bnbReserves: virtualBnbReserves, tokenReserves: virtualTokenReserves },
    };
  });
  const onPairs = swapped.map(async (log): Promise<LoggedTrade | undefined> => {
    const pair = getAddress(log.address);
    const opened = graduated.find(({ args }) => getAddress(args.pair) === pair);
    if (opened === undefined || log.blockNumber < opened.blockNumber) return undefined;
    const { token } = opened.args;
    const isToken0 = token.toLowerCase() < chain.deployment.wbnb.toLowerCase();
    const sync = synced.findLast(
      (other) =>
        getAddress(other.address) === pair &&
        other.blockNumber === log.blockNumber &&
        other.logIndex < log.logIndex,
    );
    if (sync === undefined) throw new Error("a Swap without a Sync before it");
    const { amount0In, amount1In, amount0Out, amount1Out } = log.args;
    const flows = [amount0Out - amount0In, amount1Out - amount1In] as const;
    const [tokens, bnb] = isToken0 ? flows : [flows[1], flows[0]];
    const both = [sync.args.reserve0, sync.args.reserve1] as const;
    const [tokenReserves, bnbReserves] = isToken0 ? both : [both[1], both[0]];
    const { from } = await client.getTransaction({ hash: log.transactionHash });
    return {
      ...(await placeOf(log)),
      ...{ token, pair, maker: getAddress(from), isBuy: tokens > 0n, tokenReserves, bnbReserves },
      ...{ bnb: bnb < 0n ? -bnb : bnb, tokens: tokens < 0n ? -tokens : tokens },
    };
  });
  const trades = (await Promise.all([...onCurves, ...onPairs])).filter((trade) => trade !== undefined);
  return trades.sort((left, right) => left.block - right.block || left.logIndex - right.logIndex);
}
