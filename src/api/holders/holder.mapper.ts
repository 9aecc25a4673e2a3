import { percentOf } from "../market/price.ts";
import type { HolderRow } from "./holders.query.ts";
import type { Holder } from "./holders.routes.ts";

/** A holder, as it is sent. */
export function toHolder(
  row: HolderRow,
  rank: number,
  token: { creator: string; totalSupply: bigint },
): Holder {
  return {
    rank,
    address: row.account,
    balance: row.balance,
    percent: percentOf(BigInt(row.balance), token.totalSupply),
    label: labelOf(row, token.creator),
    earlyBuyer: row.is_early_buyer,
  };
}

function labelOf({ kind, account }: HolderRow, creator: string): Holder["label"] {
  if (kind !== "account") return kind;
  return account === creator ? "creator" : null;
}
