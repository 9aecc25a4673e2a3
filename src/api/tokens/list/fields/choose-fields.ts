import type { TokenEntry } from "../../entry/token-entry.schema.ts";
import type { ChosenToken, TokenField } from "./token-fields.schema.ts";

/** Picks the given fields of an entry, in the entry's order, and always its mint. */
export function chooseFields(entry: TokenEntry, fields: readonly TokenField[]): ChosenToken {
  const names: readonly string[] = fields;
  const chosen = Object.entries(entry).filter(([name]) => names.includes(name));
  return { mint: entry.mint, ...Object.fromEntries(chosen) };
}
