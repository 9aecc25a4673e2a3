import { Amount } from "../parts/amount.tsx";

/** A gain or a loss, by sign and colour. */
export function Result({ bnb, usd }: { bnb: string | null; usd?: string | undefined }) {
  const value = Number(bnb ?? 0);
  return (
    <span class={value > 0 ? "up" : value < 0 ? "down" : ""}>
      {value > 0 && "+"}
      <Amount bnb={bnb} usd={usd} />
    </span>
  );
}
