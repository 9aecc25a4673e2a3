import { currency } from "../data/settings.ts";
import { formatChange } from "../format/number.ts";
import { Amount } from "../parts/amount.tsx";

/** What rounding to whole wei and base units leaves is neither a gain nor a loss. */
const dust = { bnb: 1e-9, usd: 1e-6 };

const isDust = (bnb: string | null, usd: string | undefined) =>
  bnb !== null && Math.abs(Number(bnb)) < dust.bnb && Math.abs(Number(usd ?? 0)) < dust.usd;

type ResultProps = {
  bnb: string | null;
  usd?: string | undefined;
  /** What the result would be received in: with it, the result is also shown in percent of what that has cost. */
  proceeds?: { bnb: string | null; usd?: string | undefined };
};

/** A gain or a loss, shown by sign and colour. Since trades are converted at their own rates, a gain in BNB may be a loss in dollars. */
export function Result({ bnb, usd, proceeds }: ResultProps) {
  if (isDust(bnb, usd)) return <Amount bnb="0" usd={usd && "0"} />;
  const inUsd = currency.value === "usd" && bnb !== null && usd !== undefined;
  const value = Number((inUsd ? usd : bnb) ?? 0);
  const cost = Number((inUsd ? proceeds?.usd : proceeds?.bnb) ?? 0) - value;
  return (
    <span class={value > 0 ? "up" : value < 0 ? "down" : ""}>
      {value > 0 && "+"}
      <Amount bnb={bnb} usd={usd} />
      {proceeds !== undefined && cost > dust.bnb && (
        <span class="number result-percent"> ({formatChange((100 * value) / cost)})</span>
      )}
    </span>
  );
}
