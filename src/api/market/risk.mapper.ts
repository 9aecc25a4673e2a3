import type { CreatorRecord, Risk } from "./market.schema.ts";
import { percentOf, ratioOf } from "./price.ts";
import type { CreatorRecordRow, RiskRow } from "./risk.query.ts";

/** Who holds how much of a token, given its supply in base units. */
export function toRisk(row: RiskRow, totalSupply: bigint | string): Risk {
  const [supply, circulating] = [BigInt(totalSupply), BigInt(row.circulating_raw)];
  const [earlyBuyers, early] = row.early_buyers;
  const [creator, top10, earlyBalance] = [row.creator_balance_raw ?? 0, row.top10_balance, early].map(
    BigInt,
  ) as [bigint, bigint, bigint];
  const share = (balance: bigint) => ratioOf(balance * 100n, circulating);
  return {
    creatorPercent: share(creator),
    top10Percent: share(top10),
    earlyBuyersPercent: share(earlyBalance),
    creatorOfSupplyPercent: percentOf(creator, supply),
    top10OfSupplyPercent: percentOf(top10, supply),
    earlyBuyersOfSupplyPercent: percentOf(earlyBalance, supply),
    earlyBuyers,
    effectiveHolders: ratioOf(circulating * circulating, BigInt(row.balance_squares_raw)),
    creatorSoldOut: row.creator_balance_raw !== null && BigInt(row.creator_balance_raw) === 0n,
    creatorGraduated: row.creator_graduated,
  };
}

/** What a creator of tokens has done so far. */
export function toCreatorRecord(row: CreatorRecordRow): CreatorRecord {
  return {
    tokensCreated: row.tokens_created,
    tokensGraduated: row.tokens_graduated,
    tokensSoldOut: row.tokens_sold_out,
  };
}
