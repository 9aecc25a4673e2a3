import { account } from "ponder:schema";
import { addAmount, clamp, clampSigned } from "../domain/amounts.ts";
import { toUsd } from "../domain/price.ts";
import type { Address, EntityContext, EventPosition } from "./context.ts";
import { countNewcomers } from "./launchpad.ts";
import type { Realised } from "./position.ts";

type AccountRow = typeof account.$inferSelect;

/** Creates the account's row if there is none. */
export async function ensureAccount(
  context: EntityContext,
  address: Address,
  at: EventPosition,
): Promise<void> {
  // Looked up first, since most exist.
  const row = await context.db.find(account, { chainId: context.chain.id, address });
  if (row === null) await context.db.insert(account).values(newAccount(context, address, at));
}

/** An account's record as a creator. */
export type CreatorRecord = { tokensCreated: number; tokensGraduated: number; tokensSoldOut: number };

/** Adds to the account's record as a creator. */
export async function updateCreatorRecord(
  context: EntityContext,
  address: Address,
  change: Partial<CreatorRecord>,
  at: EventPosition,
): Promise<void> {
  const add = (record: CreatorRecord): CreatorRecord => ({
    tokensCreated: record.tokensCreated + (change.tokensCreated ?? 0),
    tokensGraduated: record.tokensGraduated + (change.tokensGraduated ?? 0),
    tokensSoldOut: Math.max(0, record.tokensSoldOut + (change.tokensSoldOut ?? 0)),
  });
  const changedAt = at.block.timestamp;
  const blank = newAccount(context, address, at);
  let before: CreatorRecord = blank;
  const after = await context.db
    .insert(account)
    .values({ ...blank, ...add(blank) })
    .onConflictDoUpdate((row) => {
      const { tokensCreated, tokensGraduated, tokensSoldOut } = row;
      before = { tokensCreated, tokensGraduated, tokensSoldOut };
      return { ...add(row), changedAt };
    });
  const creators = Number(before.tokensCreated === 0 && after.tokensCreated > 0);
  const graduatedCreators = Number(before.tokensGraduated === 0 && after.tokensGraduated > 0);
  if (creators + graduatedCreators > 0) await countNewcomers(context, { creators, graduatedCreators });
}

type AccountTrade = {
  trader: Address;
  side: "buy" | "sell";
  /** Wei. */
  bnbAmountWei: bigint;
};

type TradeResult = {
  /** USD for one BNB with 8 decimals; null without a rate. */
  bnbUsdX8: bigint | null;
  realised: Realised;
};

/** Adds a trade to the trader's totals, and creates its row if there is none. */
export async function recordInAccount(
  context: EntityContext,
  trade: AccountTrade,
  result: TradeResult,
  at: EventPosition,
): Promise<void> {
  const { db, chain } = context;
  const { trader: address } = trade;
  const key = { chainId: chain.id, address };
  const row = await db.find(account, key);
  const before = row ?? newAccount(context, address, at);
  const changes = applyTrade(before, trade, result, at.block.timestamp);
  const after =
    row === null
      ? await db.insert(account).values({ ...before, ...changes })
      : await db.update(account, key).set(changes);
  const traders = Number(after.trades === 1);
  const sellers = Number(trade.side === "sell" && after.sells === 1);
  if (traders + sellers > 0) await countNewcomers(context, { traders, sellers });
}

function applyTrade(
  row: AccountRow,
  { side, bnbAmountWei }: AccountTrade,
  { bnbUsdX8, realised }: TradeResult,
  changedAt: bigint,
) {
  const usd = toUsd(bnbAmountWei, bnbUsdX8);
  const { volumeUsdX18, realisedUsdX18 } = row;
  const isUnknown = side === "sell" && realised.realisedUsdX18 === null;
  // Without a rate for a buy, later sells of its tokens have no result in USD either, whoever sells them.
  const usdTotals =
    isUnknown || usd === null || volumeUsdX18 === null || realisedUsdX18 === null
      ? { volumeUsdX18: null, realisedUsdX18: null }
      : {
          volumeUsdX18: addAmount(volumeUsdX18, usd),
          realisedUsdX18: clampSigned(realisedUsdX18 + (realised.realisedUsdX18 ?? 0n)),
        };
  return {
    trades: row.trades + 1,
    sells: row.sells + (side === "sell" ? 1 : 0),
    volumeWei: addAmount(row.volumeWei, clamp(bnbAmountWei)),
    realisedWei: clampSigned(row.realisedWei + (realised.realisedWei ?? 0n)),
    ...usdTotals,
    profitableSells: row.profitableSells + (side === "sell" && (realised.realisedWei ?? 0n) > 0n ? 1 : 0),
    changedAt,
  };
}

function newAccount({ chain }: EntityContext, address: Address, at: EventPosition): AccountRow {
  return {
    chainId: chain.id,
    address,
    firstSeenAt: at.block.timestamp,
    tokensCreated: 0,
    tokensGraduated: 0,
    tokensSoldOut: 0,
    trades: 0,
    sells: 0,
    volumeWei: 0n,
    volumeUsdX18: 0n,
    realisedWei: 0n,
    realisedUsdX18: 0n,
    profitableSells: 0,
    changedAt: at.block.timestamp,
  };
}
