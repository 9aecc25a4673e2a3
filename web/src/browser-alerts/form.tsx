import { useState } from "preact/hooks";
import { newDraft, RuleFields } from "../alerts/rule-fields.tsx";
import { browserOccasionsOf, type Draft, decimal, type Target } from "../alerts/rules.ts";
import { chainId } from "../data/chain.ts";
import { t } from "../language/messages.ts";
import {
  type BrowserAlert,
  isLimit,
  isOfValue,
  isReached,
  maxAlerts,
  type Occasion,
  toValues,
  withAlert,
} from "./alert.ts";
import { browserAlerts, changeAlerts } from "./alerts.ts";
import { askPermission } from "./notification.tsx";

type BrowserFormProps = { target: Target; name: string; onSet: () => void; onCancel: () => void };

/** The form of an alert that this browser watches. */
export function BrowserForm({ target, name, onSet, onCancel }: BrowserFormProps) {
  const occasions = browserOccasionsOf(target);
  const [draft, setDraft] = useState<Draft>(() => ({
    ...newDraft(target),
    occasion: occasions[0] ?? "trade",
    currency: "bnb",
  }));
  const alert = toBrowserAlert(draft, target, name);
  const isFull = browserAlerts.value.length >= maxAlerts;
  const isReachedNow = alert?.isArmed === false;
  const submit = () => {
    if (alert === undefined || isFull) return;
    changeAlerts((alerts) => withAlert(alerts, alert));
    void askPermission();
    onSet();
  };
  return (
    <form onSubmit={submit}>
      <RuleFields draft={draft} target={target} occasions={occasions} isPlain onChange={setDraft} />
      <p class="field-hint" role="status">
        {isFull ? t.alerts.full(maxAlerts) : isReachedNow ? t.alerts.reachedNow : ""}
      </p>
      <button type="submit" class="button is-primary is-wide" disabled={alert === undefined || isFull}>
        {t.alerts.set}
      </button>
      <p class="field-hint">{t.alerts.setNote}</p>
      <div class="alert-buttons">
        <span />
        <button type="button" class="button" onClick={onCancel}>
          {t.common.cancel}
        </button>
      </div>
    </form>
  );
}

/** The alert of a filled in form; undefined while something is missing or wrong. */
export function toBrowserAlert(draft: Draft, target: Target, name: string): BrowserAlert | undefined {
  const occasion = draft.occasion as Occasion;
  const alert = {
    occasion,
    address: target.kind === "token" ? target.mint : target.address,
    name,
    chainId: chainId.peek(),
  };
  if (!isOfValue(occasion)) return { ...alert, isArmed: occasion === "graduated" ? true : undefined };
  const limit = decimal(draft.limit, 36);
  if (!isLimit(limit, occasion) || target.kind === "account") return undefined;
  const withLimit: BrowserAlert = { ...alert, direction: draft.direction, limit };
  const { priceBnb, marketCapBnb, progress } = target.now;
  const values = toValues({
    priceBnb: known(priceBnb),
    marketCapBnb: known(marketCapBnb),
    progress: Number(progress),
    graduated: target.graduated,
  });
  const reached = isReached(withLimit, values);
  return { ...withLimit, isArmed: reached === undefined ? undefined : !reached };
}

const known = (value: string | number | null | undefined) =>
  value === null || value === undefined ? null : String(value);
