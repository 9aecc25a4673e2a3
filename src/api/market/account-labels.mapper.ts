import type { AccountLabels } from "./market.schema.ts";

/** Block numbers as the driver returns them. */
type Row = {
  account: string;
  creator: string | null;
  /** When the curve opened; null before. */
  opened_block: string | bigint | null;
  /** The account's first buy, if that was in the curve's first three blocks. */
  early_block: string | bigint | null;
};

export function toAccountLabels({ account, creator, opened_block, early_block }: Row): AccountLabels {
  if (account === creator) return ["creator"];
  if (early_block === null) return [];
  return String(early_block) === String(opened_block) ? ["bundler", "sniper"] : ["sniper"];
}
