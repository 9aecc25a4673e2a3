import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { readSoon } from "../data/read-soon.ts";
import { formatNumber, formatPercent, fromUnits, parseAmount } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Understood } from "../parts/amount.tsx";
import { type Loss, lossOf } from "../parts/loss.tsx";
import { explain } from "../wallet/explain.ts";
import { type Form, form } from "./draft.ts";
import { TextField } from "./fields.tsx";

/** A quote is requested this long after the last keystroke. */
const debounceMs = 250;

export type FirstBuyQuote = Awaited<ReturnType<typeof readQuote>>;

type Query = { burnPercent: number; amount: string; chainId: 56 | 97 };
const readQuote = (query: Query) => dataOf(api.GET("/api/first-buy/quote", { params: { query } }));

/** The quote that the page shows, and what it is for. */
const shown = signal<{ quote: FirstBuyQuote; of: string } | undefined>(undefined);
const key = (query: Query) => Object.values(query).join();

const queryOf = ({ burnPercent, firstBuy }: Form, chainId: 56 | 97): Query => ({
  burnPercent,
  chainId,
  amount: String(parseAmount(firstBuy).units ?? 0n),
});

/** The first buy of a form, if there is one; its quote is undefined until the page shows it. */
export function quotedFirstBuy(draft: Form, chainId: 56 | 97) {
  const query = queryOf(draft, chainId);
  if (query.amount === "0") return undefined;
  return { quote: shown.value?.of === key(query) ? shown.value.quote : undefined };
}

/** What a first buy loses to its price impact, if that needs a second confirmation. */
export function firstBuyLoss(quote: FirstBuyQuote | undefined): Loss | undefined {
  if (quote === undefined) return undefined;
  const paid = Number(fromUnits(BigInt(quote.amountInWei) - BigInt(quote.refundWei)));
  return lossOf({
    percent: quote.priceImpactPercent,
    paid,
    received: Number(fromUnits(quote.amountOutRaw)) * Number(quote.priceBnb),
    usdPerBnb: usdPerBnb(quote),
  });
}

const usdPerBnb = (quote: FirstBuyQuote | undefined) =>
  quote?.priceUsd === undefined ? undefined : Number(quote.priceUsd) / Number(quote.priceBnb);

/** The creator's buy in the transaction that creates the token, before anyone else can buy. */
export function FirstBuy({ problem, chain }: { problem: string | undefined; chain: 56 | 97 }) {
  const [failure, setFailure] = useState<string>();
  const query = queryOf(form.value, chain);
  const of = key(query);
  useEffect(() => {
    setFailure(undefined);
    if (query.amount === "0") return;
    return readSoon(debounceMs, () => readQuote(query), {
      onAnswer(quote) {
        shown.value = { quote, of };
      },
      onFailure(error) {
        setFailure(explain(error));
        // Without a quote the form can't be sent.
        return true;
      },
    });
  }, [of]);
  const quote = shown.value?.of === of ? shown.value.quote : undefined;
  return (
    <>
      <TextField
        name="firstBuy"
        label={t.create.firstBuy(coin.value)}
        inputMode="decimal"
        problem={problem}
        hint={failure ?? (quote === undefined ? t.create.firstBuyHint : describe(quote))}
        placeholder="0"
      />
      <Understood units={BigInt(query.amount)} unit={coin.value} usdEach={usdPerBnb(quote)} />
    </>
  );
}

function describe({ amountOutRaw, progressAfterPercent, refundWei, graduates }: FirstBuyQuote): string {
  const tokens = formatNumber(fromUnits(amountOutRaw));
  const refund =
    refundWei === "0" ? "" : t.create.refunded(`${formatNumber(fromUnits(refundWei), 6)} ${coin.value}`);
  const listed = graduates ? t.create.completesCurve : "";
  return t.create.firstBuyBrings(tokens, formatPercent(progressAfterPercent)) + listed + refund;
}
