import { useEffect, useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { formatNumber, formatPercent, fromUnits, toUnits } from "../format/number.ts";
import { explain } from "../wallet/explain.ts";
import { form } from "./draft.ts";
import { TextField } from "./fields.tsx";

/** A quote is requested this long after the last keystroke. */
const debounceMs = 250;

/** The creator's buy in the transaction that creates the token, before anyone else can buy. */
export function FirstBuy({ problem, chain }: { problem: string | undefined; chain: 56 | 97 }) {
  const [answer, setAnswer] = useState<string>();
  const { firstBuy, burnPercent } = form.value;
  const amount = String(toUnits(firstBuy) ?? 0n);
  useEffect(() => {
    setAnswer(undefined);
    if (amount === "0") return;
    let isStale = false;
    const timer = setTimeout(async () => {
      try {
        const query = { burnPercent, amount, chainId: chain };
        const quote = await dataOf(api.GET("/api/first-buy/quote", { params: { query } }));
        const tokens = formatNumber(fromUnits(quote.amountOutRaw));
        const listed = quote.graduates ? " This completes the curve at once." : "";
        if (!isStale) {
          setAnswer(
            `Buys ${tokens} tokens, ${formatPercent(quote.progressAfterPercent)} of the curve.${listed}`,
          );
        }
      } catch (error) {
        if (!isStale) setAnswer(explain(error));
      }
    }, debounceMs);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [amount, burnPercent, chain]);
  const hint = answer ?? "Optional, in the same transaction, so that nobody can buy before you.";
  return (
    <TextField
      name="firstBuy"
      label={`First buy, in ${coin.value}`}
      problem={problem}
      hint={hint}
      placeholder="0"
    />
  );
}
