import { useEffect, useState } from "preact/hooks";
import { client, LaunchpadError } from "../data/client.ts";
import { readSoon } from "../data/read-soon.ts";
import { formatDown } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { problemText } from "../parts/problem.tsx";
import { explain } from "../wallet/explain.ts";

export type Quote = Awaited<ReturnType<typeof client.quote>>["quote"];

/** What is to be quoted. */
export type Terms = {
  mint: string;
  chainId: 56 | 97;
  side: "buy" | "sell";
  /** Base units. Undefined if no amount was typed. */
  units: bigint | undefined;
  slippage: string;
  owner: string | undefined;
};

/** A quote is requested this long after the last keystroke or change of the price. */
const debounceMs = 250;

/** `of` is what it was requested for, and at which price of the page. `isRefused`: asking again would not help. */
type Quoted = { quote?: Quote; problem?: string; isRefused?: boolean; of: string; at: string };

/** The key of terms: quotes for equal terms differ by their time only. */
export const keyOf = (terms: Terms) => Object.values(terms).join();

/** Reads a quote now. Throws what {@link explainQuote} explains. */
export async function readQuote({ mint, chainId, side, units = 0n, slippage, owner }: Terms): Promise<Quote> {
  const query = { side, amount: String(units), slippage: Number(slippage), chainId, account: owner };
  return (await client.quote(mint, query)).quote;
}

/**
 * The latest quote for these terms, or why there is none. A change of the price asks for another one, and until it comes the last
 * one stays: it is old (`isCurrent`), and still for what the visitor typed (`isForTerms`).
 *
 * @param priceBnb the current price
 * @param unit the name of what is paid in
 */
export function useQuote(terms: Terms, { priceBnb, unit }: { priceBnb: string; unit: string }) {
  const [quoted, setQuoted] = useState<Quoted>();
  const of = keyOf(terms);
  const isAsked = terms.units !== undefined && terms.units > 0n;
  useEffect(() => {
    if (!isAsked) {
      setQuoted(undefined);
      return;
    }
    return readSoon(debounceMs, () => readQuote(terms), {
      onAnswer: (quote) => setQuoted({ quote, of, at: priceBnb }),
      onFailure(error) {
        const isRefused = error instanceof LaunchpadError && error.status < 500 && error.status !== 429;
        const failed = { problem: explainQuote(error, unit), isRefused, of, at: priceBnb };
        // A service that can't be reached takes no quote away.
        setQuoted((last) => (!isRefused && last?.of === of && last.quote !== undefined ? last : failed));
        return !isRefused;
      },
    });
  }, [of, priceBnb]);
  const isForTerms = quoted?.of === of;
  return {
    quote: quoted?.quote,
    problem: isForTerms ? quoted?.problem : undefined,
    isForTerms,
    isRefused: isForTerms && quoted?.isRefused === true,
    isCurrent: isForTerms && quoted?.at === priceBnb,
    /** Reads another quote at once, and shows it. */
    async ask(): Promise<Quote> {
      const quote = await readQuote(terms);
      setQuoted({ quote, of, at: priceBnb });
      return quote;
    },
  };
}

/** Whether the account has less than what it would pay. */
export const hasTooLittle = (quote: Quote | undefined): boolean =>
  quote?.warnings.some(({ code }) => code === "balance_too_low") === true;

/** Says why there is no quote, with amounts in the unit that the visitor typed in: the API's are in base units. */
export function explainQuote(error: unknown, unit: string): string {
  if (!(error instanceof LaunchpadError)) return explain(error);
  if (error.code === "amount_too_small") return t.trade.tooSmall;
  const most = /at most (\d+)/.exec(error.message)?.[1];
  if (error.code === "amount_too_large" && most !== undefined) {
    return t.trade.atMost(formatDown(most, 6), unit);
  }
  return problemText(error);
}
