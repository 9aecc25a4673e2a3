import type { CreatorRecord, Risk } from "./market.schema.ts";
import { percentOf } from "./price.ts";
import type { CreatorRecordRow, RiskRow } from "./risk.query.ts";

/** Who holds how much of a supply, given in base units. */
export function toRisk(row: RiskRow, totalSupply: bigint | string): Risk {
  const supply = BigInt(totalSupply);
  const [earlyBuyers, earlyBalance] = row.early_buyers;
  return {
    creatorPercent: percentOf(BigInt(row.creator_balance ?? 0), supply),
    top10Percent: percentOf(BigInt(row.top10_balance), supply),
    earlyBuyersPercent: percentOf(BigInt(earlyBalance), supply),
    earlyBuyers,
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
