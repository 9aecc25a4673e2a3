import { hash } from "node:crypto";
import type { Address } from "viem";
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

/**
 * The token that this one looks like, if their symbols or names differ in case at most. The market has no names that look alike in
 * other ways.
 */
export function expectedLookAlike(
  mint: Address,
  created: ChainEvent<"TokenCreated">[],
  curves: Map<unknown, ExpectedRow>,
): Address | null {
  const index = created.findIndex(({ args }) => args.token === mint);
  const liquidityOf = (token: Address) => (curves.get(token)?.liquidity_wei ?? 0n) as bigint;
  const [me, mine] = [created[index]?.args, liquidityOf(mint)];
  const isSame = (left: string, right = "") =>
    foldedSymbol(left) === foldedSymbol(right) && foldedSymbol(left) !== "";
  const candidates = created.flatMap(({ args: { token, symbol, name } }, at) => {
    if (at === index || !(isSame(symbol, me?.symbol) || isSame(name, me?.name))) return [];
    const liquidity = liquidityOf(token);
    const isLarger = curves.get(token)?.graduated === true && liquidity > 0n && liquidity >= 2n * mine;
    const isMuchSmaller = curves.get(mint)?.graduated === true && mine > 0n && mine >= 2n * liquidity;
    return isLarger || (at < index && !isMuchSmaller) ? [{ token, at, liquidity }] : [];
  });
  candidates.sort((a, b) => Number(b.liquidity - a.liquidity) || a.at - b.at);
  return candidates[0]?.token ?? null;
}
