import { useEffect, useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { formatNumber, formatPercent, fromUnits, toUnits } from "../format/number.ts";
import { explain } from "../wallet/explain.ts";
import { form } from "./draft.ts";
import { TextField } from "./fields.tsx";

/** Milliseconds after the last key until a quote is asked for. */
const pause = 250;

/** What the creator buys in the transaction that creates the token, before anyone else can. */
export function FirstBuy({ problem, chain }: { problem: string | undefined; chain: 56 | 97 }) {
  const [answer, setAnswer] = useState<string>();
  const { firstBuy, burnPercent } = form.value;
  const amount = String(toUnits(firstBuy) ?? 0n);
  useEffect(() => {
    setAnswer(undefined);
    if (amount === "0") return;
    let isOver = false;
    const timer = setTimeout(async () => {
      try {
        const query = { burnPercent, amount, chainId: chain };
        const quote = await dataOf(api.GET("/api/first-buy/quote", { params: { query } }));
        const tokens = formatNumber(fromUnits(quote.amountOutRaw));
        const listed = quote.graduates ? " This completes the curve at once." : "";
        if (!isOver) {
          setAnswer(
            `Buys ${tokens} tokens, ${formatPercent(quote.progressAfterPercent)} of the curve.${listed}`,
          );
        }
      } catch (error) {
        if (!isOver) setAnswer(explain(error));
      }
    }, pause);
    return () => {
      isOver = true;
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
