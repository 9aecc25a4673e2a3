import { useEffect, useMemo, useState } from "preact/hooks";
import { client } from "../data/client.ts";
import { explain } from "../wallet/explain.ts";

export type Quote = Awaited<ReturnType<typeof client.quote>>["quote"];

/** Everything that a quote depends on, including the current price. */
export type Terms = {
  mint: string;
  chainId: 56 | 97;
  side: "buy" | "sell";
  /** Base units. Undefined if no amount was typed. */
  units: bigint | undefined;
  slippage: string;
  owner: string | undefined;
  priceBnb: string;
};

/** A quote is requested this long after the last keystroke. */
const debounceMs = 250;

type Quoted = { quote: Quote; of: string } | { problem: string; of: string };

/** The latest quote, or why there is none; and whether it is for these terms or for earlier ones. */
export function useQuote(terms: Terms) {
  const { mint, chainId, side, units, slippage, owner } = terms;
  const [quoted, setQuoted] = useState<Quoted>();
  const key = useMemo(
    () => JSON.stringify(Object.values({ ...terms, units: String(units) })),
    [...Object.values(terms)],
  );
  useEffect(() => {
    if (units === undefined || units === 0n) {
      setQuoted(undefined);
      return;
    }
    let isStale = false;
    const timer = setTimeout(async () => {
      try {
        const query = { side, amount: String(units), slippage: Number(slippage), chainId, account: owner };
        const { quote } = await client.quote(mint, query);
        if (!isStale) setQuoted({ quote, of: key });
      } catch (error) {
        if (!isStale) setQuoted({ problem: explain(error), of: key });
      }
    }, debounceMs);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [key]);
  return {
    quote: quoted !== undefined && "quote" in quoted ? quoted.quote : undefined,
    problem: quoted !== undefined && "problem" in quoted ? quoted.problem : undefined,
    isCurrent: quoted?.of === key,
  };
}
