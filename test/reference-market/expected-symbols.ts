import { hash } from "node:crypto";
import type { ChainEvent } from "./chain-events.ts";
import type { ExpectedRow } from "./row-differences.ts";

/** Returns the rows of `token_symbol`. */
export function expectedSymbols(created: ChainEvent<"TokenCreated">[]): ExpectedRow[] {
  const symbols = created.map(({ args }) => foldedSymbol(args.symbol));
  return [...Map.groupBy(symbols, (symbol) => symbol)].map(([symbol, same]) => ({
    symbol_hash: `0x${hash("sha256", symbol)}`,
    tokens: same.length,
  }));
}

/** Normalises a symbol, so that those that differ only in case or surrounding blanks are equal. */
export function foldedSymbol(symbol: string): string {
  return symbol.replaceAll("\0", "").trim().toLowerCase();
}
