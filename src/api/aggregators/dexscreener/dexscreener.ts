import { eventId } from "../../../domain/ids.ts";
import type { Database } from "../../database/database.ts";
import { invalidParameter, ProblemException } from "../../http/problem.ts";
import { createRouter } from "../../http/router.ts";
import { checksumAddress } from "../../market/checksum-address.ts";
import { displayNames } from "../../market/display-name.ts";
import { formatAmount, nativePrice } from "../../market/price.ts";
import type { AggregatorDeps, DexAddresses } from "../shared/dex-addresses.ts";
import { getFinalBlock, unknownFinalToken } from "../shared/final-block.ts";
import {
  type FinalLiquidityRow,
  type FinalPairRow,
  type FinalTokenRow,
  type FinalTradeRow,
  readFinalPair,
  readFinalToken,
  readLiquidityBetween,
  readTradesBetween,
} from "../shared/final-rows.query.ts";
import { streamJson } from "../shared/json-stream.ts";
import {
  type Asset,
  type AssetAnswer,
  assetRoute,
  type DexEvent,
  type Events,
  eventsRoute,
  type JoinOrExit,
  type LatestBlock,
  latestBlockRoute,
  maxBlockRange,
  type Pair,
  type PairAnswer,
  pairRoute,
  type Swap,
} from "./dexscreener.routes.ts";

/** Implements DEX Screener's adapter specification. */
export function createDexScreener({ chains, db, getDexAddresses }: AggregatorDeps) {
  return createRouter()
    .openapi(latestBlockRoute, async (c) => {
      const { id } = chains.choose(c.req.valid("query").chainId);
      const { block, timestamp } = await getFinalBlock(db, id);
      const body: LatestBlock = { block: { blockNumber: block, blockTimestamp: timestamp } };
      return c.json(body, 200);
    })
    .openapi(assetRoute, async (c) => {
      const { id, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const token = await readFinalToken(db, chain.id, id, await getFinalBlock(db, chain.id));
      if (token !== undefined) return c.json<AssetAnswer, 200>({ asset: toAsset(token) }, 200);
      const { wbnb } = await getDexAddresses(chain, c);
      if (id === wbnb.toLowerCase()) return c.json<AssetAnswer, 200>({ asset: toWbnbAsset(wbnb) }, 200);
      throw unknownFinalToken(id, chain.id);
    })
    .openapi(pairRoute, async (c) => {
      const { id, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const final = await getFinalBlock(db, chain.id);
      const token = await readFinalToken(db, chain.id, id, final);
      if (token !== undefined)
        return c.json<PairAnswer, 200>({ pair: toCurvePair(token, await getDexAddresses(chain, c)) }, 200);
      const pair = await readFinalPair(db, chain.id, id, final);
      if (pair !== undefined)
        return c.json<PairAnswer, 200>({ pair: toDexPair(pair, await getDexAddresses(chain, c)) }, 200);
      throw unknownPair(id, chain.id);
    })
    .openapi(eventsRoute, async (c) => {
      const { fromBlock, toBlock, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      assertRange(fromBlock, toBlock);
      const { block: last } = await getFinalBlock(db, chain.id);
      if (toBlock > last) throw notFinal(toBlock, last);
      const events = readEventBatches(db, { chainId: chain.id, fromBlock, toBlock });
      return await streamJson<Events>(c, { events });
    });
}

function assertRange(fromBlock: number, toBlock: number): void {
  if (fromBlock > toBlock) throw invalidParameter("fromBlock", "must not be above toBlock");
  if (toBlock - fromBlock < maxBlockRange) return;
  throw invalidParameter(
    "toBlock",
    `must be at most ${fromBlock + maxBlockRange - 1} with this fromBlock: a range has at most ${maxBlockRange} blocks`,
  );
}

function notFinal(toBlock: number, last: number): ProblemException {
  return new ProblemException({
    status: 409,
    code: "block_not_final",
    detail: `Block ${toBlock} is not final yet: the last final block, and the last you can ask for, is ${last}.`,
    errors: [{ path: "toBlock", message: `must not be above ${last}, the last final block` }],
  });
}

function unknownPair(pair: string, chainId: number): ProblemException {
  return new ProblemException({
    status: 404,
    code: "pair_not_found",
    detail: `No token with the address ${pair} was launched on chain ${chainId}, and none graduated to it, in a final block.`,
  });
}

/** Rows of each kind that are read at a time, which bounds the memory of one answer. */
const batchSize = 1_000;

type Range = { chainId: number; fromBlock: number; toBlock: number };
type EventPosition = { id: string; block: string; log_index: number };

/** Yields all swaps, joins and exits of the blocks, both ends inclusive, in chain order. The blocks must be final. */
async function* readEventBatches(
  db: Database,
  { chainId, fromBlock, toBlock }: Range,
): AsyncGenerator<DexEvent[], void> {
  const before = eventId(toBlock + 1);
  let from = eventId(fromBlock);
  for (;;) {
    const part = { chainId, from, before, limit: batchSize };
    const [trades, changes] = await Promise.all([
      readTradesBetween(db, part),
      readLiquidityBetween(db, part),
    ]);
    const end = firstTruncation([trades, changes]);
    const events = [
      ...trades.map((row) => ({ id: row.id, event: toSwap(row) })),
      ...changes.map((row) => ({ id: row.id, event: toJoinOrExit(row) })),
    ].filter(({ id }) => end === undefined || id <= end.id);
    yield events.sort((left, right) => (left.id < right.id ? -1 : 1)).flatMap(({ event }) => event ?? []);
    if (end === undefined) return;
    from = eventId(Number(end.block), end.log_index + 1);
  }
}

/** Returns the position up to which all lists are complete; undefined if none was truncated. */
function firstTruncation(lists: readonly EventPosition[][]): EventPosition | undefined {
  const ends = lists.flatMap((rows) => (rows.length < batchSize ? [] : rows.slice(-1)));
  return ends.sort((left, right) => (left.id < right.id ? -1 : 1))[0];
}

/** The adapter's specification has case-sensitive ids, and asks for checksummed addresses. */
const id = checksumAddress;

const wbnbNames = { name: "Wrapped BNB", symbol: "WBNB" };

function toWbnbAsset(wbnb: string): Asset {
  return { id: id(wbnb), ...wbnbNames };
}

function toAsset(row: FinalTokenRow): Asset {
  return { id: id(row.address), ...displayNames(row), totalSupply: formatAmount(row.total_supply_raw) };
}

type PairedToken = Pick<FinalTokenRow, "address" | "name" | "symbol">;

const toPairAssets = (row: PairedToken, { wbnb }: DexAddresses): Pick<Pair, "asset0Id" | "asset1Id"> => ({
  asset0Id: id(row.address),
  asset1Id: id(wbnb),
});
const toPairMetadata = (row: PairedToken): Pick<Pair, "metadata"> => ({
  metadata: { name: `${displayNames(row).symbol}/${wbnbNames.symbol}` },
});

/** Presents a token's curve as a pair whose id is the token's address. */
function toCurvePair(row: FinalTokenRow, dex: DexAddresses): Pair {
  return {
    id: id(row.address),
    dexKey: id(row.launchpad),
    ...toPairAssets(row, dex),
    createdAtBlockNumber: Number(row.created_block),
    createdAtBlockTimestamp: Number(row.created_at),
    createdAtTxnId: row.created_tx,
    creator: id(row.creator),
    feeBps: 0,
    ...toPairMetadata(row),
  };
}

function toDexPair(row: FinalPairRow, dex: DexAddresses): Pair {
  return {
    id: id(row.pair),
    dexKey: id(dex.factory),
    ...toPairAssets(row, dex),
    ...(row.graduated_block === null ? {} : { createdAtBlockNumber: Number(row.graduated_block) }),
    createdAtBlockTimestamp: Number(row.graduated_at),
    ...(row.graduated_tx === null ? {} : { createdAtTxnId: row.graduated_tx }),
    creator: id(row.creator),
    ...toPairMetadata(row),
  };
}

/** Maps a trade to a swap of asset0 (the token) and asset1 (WBNB); undefined for a trade without a price or a pair. */
function toSwap(row: FinalTradeRow): Swap | undefined {
  const priceNative = nativePrice(BigInt(row.bnb_amount_wei), BigInt(row.token_amount_raw));
  if (row.pair === null || priceNative === undefined) return undefined;
  const tokens = formatAmount(row.token_amount_raw);
  const bnb = formatAmount(row.bnb_amount_wei);
  return {
    ...toEventPosition(row),
    eventType: "swap",
    maker: id(row.trader),
    pairId: id(row.pair),
    ...(row.side === "buy" ? { asset1In: bnb, asset0Out: tokens } : { asset0In: tokens, asset1Out: bnb }),
    priceNative,
    reserves: { asset0: formatAmount(row.token_reserves_raw), asset1: formatAmount(row.bnb_reserves_wei) },
  };
}

/** Returns undefined if the token was not launched here, or graduated to another pair. */
function toJoinOrExit(row: FinalLiquidityRow): JoinOrExit | undefined {
  if (!row.is_launched) return undefined;
  return {
    ...toEventPosition(row),
    eventType: row.kind === "add" ? "join" : "exit",
    maker: id(row.provider),
    pairId: id(row.pair),
    amount0: formatAmount(row.token_amount_raw),
    amount1: formatAmount(row.bnb_amount_wei),
    reserves: { asset0: formatAmount(row.token_reserves_raw), asset1: formatAmount(row.bnb_reserves_wei) },
  };
}

type EventRow = Pick<FinalTradeRow, "block" | "timestamp" | "tx" | "tx_index" | "log_index">;

const toEventPosition = (row: EventRow) => ({
  block: { blockNumber: Number(row.block), blockTimestamp: Number(row.timestamp) },
  txnId: row.tx,
  txnIndex: row.tx_index,
  eventIndex: row.log_index,
});
