import { useState } from "preact/hooks";
import { slippage, validSlippage } from "../data/settings.ts";
import { Choices } from "../parts/choices.tsx";

const usual = ["0.5", "1", "3", "10"];

/** From this limit on, others may take much of a trade by trading before it. */
const highPercent = 15;

/** How much less than quoted a trade may bring: one of the usual limits, or one's own. */
export function Slippage({ isDisabled }: { isDisabled: boolean }) {
  const limit = slippage.value;
  const [typed, setTyped] = useState(usual.includes(limit) ? "" : limit);
  const isWrong = typed !== "" && validSlippage(typed) === undefined;
  return (
    <div class="slippage">
      <span class="muted">Slippage limit</span>
      <span class="slippage-limits">
        <Choices
          label="Slippage in percent"
          value={limit}
          isDisabled={isDisabled}
          choices={usual.map((value) => ({ value, label: `${value}%` }))}
          onChange={(value) => {
            setTyped("");
            slippage.value = value;
          }}
        />
        <label class={`slippage-own ${typed !== "" && !isWrong ? "is-chosen" : ""}`}>
          <span class="visually-hidden">Another slippage limit in percent</span>
          <input
            inputMode="decimal"
            autocomplete="off"
            placeholder="Other"
            value={typed}
            disabled={isDisabled}
            aria-invalid={isWrong}
            onInput={(event) => {
              const text = event.currentTarget.value;
              setTyped(text);
              const valid = validSlippage(text);
              if (valid !== undefined) slippage.value = valid;
            }}
          />
          %
        </label>
      </span>
      {(isWrong || Number(limit) >= highPercent) && (
        <p class="slippage-note" role="status">
          {isWrong
            ? `Enter 0.01 to 50. The limit is still ${limit}%.`
            : "With so high a limit, others can take much of your trade by trading just before it."}
        </p>
      )}
    </div>
  );
}
