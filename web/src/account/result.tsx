import { currency } from "../data/settings.ts";
import { Amount } from "../parts/amount.tsx";

/** What rounding to whole wei and base units leaves is neither a gain nor a loss. */
const dust = { bnb: 1e-9, usd: 1e-6 };

const isDust = (bnb: string | null, usd: string | undefined) =>
  bnb !== null && Math.abs(Number(bnb)) < dust.bnb && Math.abs(Number(usd ?? 0)) < dust.usd;

/** A gain or a loss, shown by sign and colour. Since trades are converted at their own rates, a gain in BNB may be a loss in dollars. */
export function Result({ bnb, usd }: { bnb: string | null; usd?: string | undefined }) {
  if (isDust(bnb, usd)) return <Amount bnb="0" usd={usd && "0"} />;
  const value = Number((currency.value === "usd" && bnb !== null ? usd : undefined) ?? bnb ?? 0);
  return (
    <span class={value > 0 ? "up" : value < 0 ? "down" : ""}>
      {value > 0 && "+"}
      <Amount bnb={bnb} usd={usd} />
    </span>
  );
}
