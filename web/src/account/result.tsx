import { currency } from "../data/settings.ts";
import { Amount } from "../parts/amount.tsx";

/** A gain or a loss, by sign and colour. In dollars it may be the other of the two, at the rates of the trades' own times. */
export function Result({ bnb, usd }: { bnb: string | null; usd?: string | undefined }) {
  const value = Number((currency.value === "usd" && bnb !== null ? usd : undefined) ?? bnb ?? 0);
  return (
    <span class={value > 0 ? "up" : value < 0 ? "down" : ""}>
      {value > 0 && "+"}
      <Amount bnb={bnb} usd={usd} />
    </span>
  );
}
