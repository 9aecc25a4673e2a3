import { useEffect, useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { formatNumber, formatPercent } from "../format/number.ts";
import { asUsd } from "./amount.tsx";

/** The price impact in percent from which a trade needs a second confirmation. */
export const highImpact = 15;

/** What a trade loses to its own effect on the price. */
export type Loss = { percent: number; bnb: number; ofBnb: number; usd: number | undefined };

type Trade = { percent: number; paid: number; received: number; usdPerBnb: number | undefined };

/**
 * What a trade loses, if that needs a second confirmation. It is calculated from the amounts as well as from the price impact that
 * the service named, which might be wrong.
 *
 * @param trade BNB paid, and received; tokens at the price before the trade
 */
export function lossOf({ percent, paid, received, usdPerBnb }: Trade): Loss | undefined {
  const lost = Math.max(percent, paid > 0 ? 100 * (1 - received / paid) : 0);
  if (lost < highImpact) return undefined;
  const bnb = (paid * lost) / 100;
  return { percent: lost, bnb, ofBnb: paid, usd: usdPerBnb === undefined ? undefined : bnb * usdPerBnb };
}

/** How long the button stays disabled, so that the second click of a double click confirms nothing. */
const settleMs = 700;

type ConfirmLossProps = {
  loss: Loss;
  verb: "Buy" | "Sell" | "Create and buy";
  isReady: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks again before a trade with a high price impact, and names what it loses. */
export function ConfirmLoss({ loss, verb, isReady, onConfirm, onCancel }: ConfirmLossProps) {
  const [hasSettled, setHasSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasSettled(true), settleMs);
    return () => clearTimeout(timer);
  }, []);
  const { percent, bnb, ofBnb, usd } = loss;
  const lost = `${formatNumber(bnb)} ${coin.value}`;
  return (
    <div class="loss">
      <p role="alert">
        <strong>
          You lose about {lost}
          {usd !== undefined && ` (${asUsd(usd)})`}
        </strong>{" "}
        of {formatNumber(ofBnb)} {coin}: this trade moves the price against you by {formatPercent(percent, 2)}
        . A smaller amount loses less.
      </p>
      <button
        type="button"
        class="button is-danger is-wide"
        disabled={!isReady || !hasSettled}
        onClick={onConfirm}
      >
        {verb} and lose about {lost}
      </button>
      <button type="button" class="button is-wide" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
