import { toAccountLabels } from "../market/account-labels.mapper.ts";
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
    earlyBuyer: row.earlyBlock !== null,
    labels: toAccountLabels({
      account: row.account,
      creator: token.creator,
      early_block: row.earlyBlock,
      insider_hops: row.insiderHops,
    }),
  };
}

function labelOf({ kind, account }: HolderRow, creator: string): Holder["label"] {
  if (kind !== "account") return kind;
  return account === creator ? "creator" : null;
}
