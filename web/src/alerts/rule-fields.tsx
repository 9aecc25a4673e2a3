import { coin } from "../data/chain.ts";
import { currency } from "../data/settings.ts";
import { t } from "../language/messages.ts";
import { Choices } from "../parts/choices.tsx";
import { account } from "../wallet/connection.ts";
import {
  type Draft,
  isAddress,
  isMetric,
  isPercent,
  metricOf,
  numberProblem,
  type Occasion,
  occasionsOf,
  type Target,
  windows,
} from "./rules.ts";

export const newDraft = (target: Target): Draft => ({
  occasion: occasionsOf(target)[0] ?? "trade",
  side: "all",
  minBnb: "",
  direction: "above",
  limit: "",
  currency: currency.peek(),
  windowMinutes: "60",
  account: account.peek() ?? "",
  isOnce: false,
});

type RuleFieldsProps = {
  draft: Draft;
  target: Target;
  occasions: readonly Occasion[];
  isDisabled?: boolean;
  /** Whether only what and a limit in BNB or percent can be chosen. */
  isPlain?: boolean;
  onChange: (draft: Draft) => void;
};

/** The fields for what to wait for. Which there are depends on the first one. */
export function RuleFields({
  draft,
  target,
  occasions,
  isDisabled = false,
  isPlain = false,
  onChange,
}: RuleFieldsProps) {
  const { occasion } = draft;
  const change = (changes: Partial<Draft>) => onChange({ ...draft, ...changes });
  const common = { draft, isDisabled, isPlain, change };
  const texts: Partial<Record<Occasion, string>> =
    target.kind === "token" ? t.alerts.ofToken : t.alerts.ofAccount;
  return (
    <>
      <label class="field">
        <span>{t.alerts.when}</span>
        <select
          class="field-select"
          value={occasion}
          disabled={isDisabled}
          onChange={(event) => change({ occasion: event.currentTarget.value as Occasion, limit: "" })}
        >
          {occasions.map((one) => (
            <option key={one} value={one}>
              {texts[one]}
            </option>
          ))}
        </select>
      </label>
      {occasion === "trade" && !isPlain && <TradeFields {...common} />}
      {isMetric(occasion) && target.kind === "token" && <LimitFields {...common} now={target.now} />}
    </>
  );
}

type FieldsProps = {
  draft: Draft;
  isDisabled: boolean;
  isPlain: boolean;
  change: (changes: Partial<Draft>) => void;
};

function TradeFields({ draft, isDisabled, change }: FieldsProps) {
  return (
    <>
      <div class="alert-choices">
        <Choices
          label={t.common.side}
          value={draft.side}
          choices={(["all", "buy", "sell"] as const).map((value) => ({ value, label: t.common[value] }))}
          isDisabled={isDisabled}
          onChange={(side) => change({ side })}
        />
      </div>
      <NumberField
        label={t.alerts.from}
        unit={coin.value}
        value={draft.minBnb}
        placeholder={t.alerts.any}
        isDisabled={isDisabled}
        onInput={(minBnb) => change({ minBnb })}
      />
    </>
  );
}

type Now = Extract<Target, { kind: "token" }>["now"];

function LimitFields({ draft, isDisabled, isPlain, change, now }: FieldsProps & { now: Now }) {
  const { occasion, direction } = draft;
  if (!isMetric(occasion)) return null;
  const isMoney = occasion === "price" || occasion === "marketCap";
  const unit = isPercent(occasion)
    ? "%"
    : occasion === "holders"
      ? ""
      : isMoney && draft.currency === "usd"
        ? "USD"
        : coin.value;
  const value = now[metricOf(occasion, draft.currency)];
  return (
    <>
      {occasion === "accountPercent" && (
        <label class="field">
          <span>{t.common.account}</span>
          <input
            type="text"
            autocomplete="off"
            spellcheck={false}
            maxLength={42}
            value={draft.account}
            readOnly={isDisabled}
            onInput={(event) => change({ account: event.currentTarget.value })}
          />
          {!isAddress(draft.account) && <span class="field-hint">{t.alerts.wrongAccount}</span>}
        </label>
      )}
      <div class="alert-choices">
        <Choices
          label={t.alerts.direction}
          value={direction}
          choices={(["above", "below"] as const).map((value) => ({
            value,
            label: t.alerts.directions[value],
          }))}
          isDisabled={isDisabled}
          onChange={(value) => change({ direction: value })}
        />
        {isMoney && !isPlain && (
          <Choices
            label={t.shell.currency}
            value={draft.currency}
            choices={[
              { value: "usd", label: "USD" },
              { value: "bnb", label: coin.value },
            ]}
            isDisabled={isDisabled}
            onChange={(value) => change({ currency: value })}
          />
        )}
        {occasion === "volumeBnb" && (
          <Choices
            label={t.alerts.within}
            value={draft.windowMinutes}
            choices={windows.map((value) => ({ value, label: t.alerts.windows[value] }))}
            isDisabled={isDisabled}
            onChange={(windowMinutes) => change({ windowMinutes })}
          />
        )}
      </div>
      <NumberField
        label={t.alerts.limit}
        unit={unit}
        value={draft.limit}
        problem={
          isPercent(occasion) && Number(draft.limit.replace(",", ".")) > 100 ? t.alerts.overAll : undefined
        }
        isDisabled={isDisabled}
        onInput={(limit) => change({ limit })}
      />
      {value !== undefined && value !== null && (
        <p class="field-hint">{t.alerts.now(`${inDigits(value)} ${unit}`)}</p>
      )}
      {!isPlain && (
        <label class="check">
          <input
            type="checkbox"
            checked={draft.isOnce}
            disabled={isDisabled}
            onChange={(event) => change({ isOnce: event.currentTarget.checked })}
          />
          {t.alerts.once}
        </label>
      )}
    </>
  );
}

/** Without an exponent or separators, so that it can be typed. */
const inDigits = (value: string | number) =>
  Number(value).toLocaleString("en-US", { maximumSignificantDigits: 4, useGrouping: false });

type NumberFieldProps = {
  label: string;
  unit: string;
  value: string;
  placeholder?: string;
  problem?: string | undefined;
  isDisabled: boolean;
  onInput: (value: string) => void;
};

function NumberField({ label, unit, value, placeholder, problem, isDisabled, onInput }: NumberFieldProps) {
  const wrong = numberProblem(value, 36) ?? problem;
  return (
    <>
      <label class="field">
        <span>{label}</span>
        <span class="field-row">
          <input
            inputMode="decimal"
            autocomplete="off"
            placeholder={placeholder ?? "0"}
            value={value}
            readOnly={isDisabled}
            aria-invalid={wrong !== undefined}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          <span class="field-unit">{unit}</span>
        </span>
      </label>
      <p class="down field-hint" role="alert">
        {wrong}
      </p>
    </>
  );
}
