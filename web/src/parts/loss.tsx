import type { ComponentChildren } from "preact";
import { coin } from "../data/chain.ts";
import { formatNumber, formatPercent } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { asUsd } from "./amount.tsx";
import { useSettled } from "./hooks.ts";

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

type ConfirmLossProps = Omit<ConfirmProps, "children" | "label"> & {
  loss: Loss;
  action: keyof typeof t.loss.verbs;
};

/** Asks again before a trade with a high price impact, and names what it loses. */
export function ConfirmLoss({ loss, action, ...question }: ConfirmLossProps) {
  const { percent, bnb, ofBnb, usd } = loss;
  const lost = `${formatNumber(bnb)} ${coin.value}`;
  return (
    <Confirm {...question} label={t.loss.confirm(t.loss.verbs[action], lost)}>
      {t.loss.alert(
        usd === undefined ? lost : `${lost} (${asUsd(usd)})`,
        `${formatNumber(ofBnb)} ${coin.value}`,
        formatPercent(percent, 2),
        (text) => (
          <strong>{text}</strong>
        ),
      )}
    </Confirm>
  );
}

type ConfirmProps = {
  children: ComponentChildren;
  label: string;
  isReady: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks again before something that may cost money. A double click on what was there before doesn't confirm it. */
export function Confirm({ children, label, isReady, onConfirm, onCancel }: ConfirmProps) {
  const hasSettled = useSettled();
  return (
    <div class="loss">
      <p role="alert">{children}</p>
      <button
        type="button"
        class="button is-danger is-wide"
        disabled={!isReady || !hasSettled}
        onClick={onConfirm}
      >
        {label}
      </button>
      <button type="button" class="button is-wide" onClick={onCancel}>
        {t.common.cancel}
      </button>
    </div>
  );
}
