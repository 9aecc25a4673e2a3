import { floorPercent } from "../market/price.ts";
import type { HolderRow } from "./holders.query.ts";
import type { Holder } from "./holders.routes.ts";

export function toHolder(
  row: HolderRow,
  rank: number,
  token: { creator: string; totalSupplyRaw: bigint },
): Holder {
  return {
    rank,
    address: row.account,
    balanceRaw: String(row.balanceRaw),
    percent: floorPercent(row.balanceRaw, token.totalSupplyRaw),
    label: labelOf(row, token.creator),
    earlyBuyer: row.isEarlyBuyer,
  };
}

function labelOf({ kind, account }: HolderRow, creator: string): Holder["label"] {
  if (kind !== "account") return kind;
  return account === creator ? "creator" : null;
}
