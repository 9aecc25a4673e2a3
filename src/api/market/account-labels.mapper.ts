import type { AccountLabels } from "./market.schema.ts";

/** Block numbers as the driver returns them. */
type Row = {
  account: string;
  creator: string | null;
  /** When the curve opened; null before. */
  opened_block: string | bigint | null;
  /** The account's first buy, if that was in the curve's first three blocks. */
  early_block: string | bigint | null;
  insider_hops: number | null;
};

export function toAccountLabels({
  account,
  creator,
  opened_block,
  early_block,
  insider_hops,
}: Row): AccountLabels {
  if (account === creator) return ["creator"];
  const labels: AccountLabels = [];
  if (early_block !== null && String(early_block) === String(opened_block)) labels.push("bundler");
  if (early_block !== null) labels.push("sniper");
  if (insider_hops !== null) labels.push("insider");
  return labels;
}
