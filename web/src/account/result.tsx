import { currency } from "../data/settings.ts";
import { Amount } from "../parts/amount.tsx";

/** A gain or a loss, shown by sign and colour. Since trades are converted at their own rates, a gain in BNB may be a loss in dollars. */
export function Result({ bnb, usd }: { bnb: string | null; usd?: string | undefined }) {
  const value = Number((currency.value === "usd" && bnb !== null ? usd : undefined) ?? bnb ?? 0);
  return (
    <span class={value > 0 ? "up" : value < 0 ? "down" : ""}>
      {value > 0 && "+"}
      <Amount bnb={bnb} usd={usd} />
    </span>
  );
}
