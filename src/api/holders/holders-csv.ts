import { toCsv } from "../http/csv.ts";
import type { Holder } from "./holders.routes.ts";

const columns = ["address", "balance_raw", "percent", "label"];

/** Formats holders as CSV. No spreadsheet could take a cell for a formula: none has text of anybody else's. */
export function formatHolders(holders: readonly Holder[]): string {
  const rows = holders.map(({ address, balanceRaw, percent, label }) => [
    address,
    balanceRaw,
    percent,
    label,
  ]);
  return toCsv(columns, rows);
}
