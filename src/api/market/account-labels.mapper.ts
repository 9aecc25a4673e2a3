import type { AccountLabels } from "./market.schema.ts";

type Row = {
  account: string;
  creator: string | null;
  /** How many blocks after the curve's opening it first bought, if that was in the first three. */
  early_block: number | null;
  insider_hops: number | null;
};

export function toAccountLabels({ account, creator, early_block, insider_hops }: Row): AccountLabels {
  if (account === creator) return ["creator"];
  const labels: AccountLabels = [];
  if (early_block === 0) labels.push("bundler");
  if (early_block !== null) labels.push("sniper");
  if (insider_hops !== null) labels.push("insider");
  return labels;
}
