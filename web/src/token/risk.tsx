import { formatPercent } from "../format/number.ts";
import { Icon } from "../parts/icons.tsx";
import type { TokenDetails } from "./data.ts";
import { riskNotes, riskVerdict } from "./risk-notes.ts";

const icons = { warning: "warning", note: "holders", good: "check" } as const;
const levels = { warning: "Warning: ", note: "", good: "Good: " } as const;

const share = (percent: number | null) => (percent === null ? "–" : formatPercent(percent));

/** The token's risks, in numbers and words. */
export function Risk({ token }: { token: TokenDetails }) {
  const { risk } = token;
  return (
    <section class="panel" aria-labelledby="risk-title">
      <h2 id="risk-title" class="panel-title">
        Risk
      </h2>
      <dl class="risk-numbers">
        <div>
          <dt>Creator</dt>
          <dd>{share(risk.creatorPercent)}</dd>
        </div>
        <div>
          <dt>Top ten</dt>
          <dd>{share(risk.top10Percent)}</dd>
        </div>
        <div>
          <dt>Early buyers</dt>
          <dd>{share(risk.earlyBuyersPercent)}</dd>
        </div>
      </dl>
      <ul class="risk-notes">
        {riskNotes(token).map(({ level, text }) => (
          <li key={text} class={`is-${level}`}>
            <Icon name={icons[level]} />
            <span>
              <span class="visually-hidden">{levels[level]}</span>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The risks in a word, with the worst of them. */
export function RiskVerdict({ token }: { token: TokenDetails }) {
  const notes = riskNotes(token);
  const { level, text } = riskVerdict(notes);
  const [worst] = notes;
  return (
    <p class={`verdict is-${level}`}>
      <Icon name={level === "none" ? "check" : "warning"} />
      <span>
        <strong>{text}</strong>
        {worst?.level === "warning" && <span class="muted"> · {worst.text}</span>}
      </span>
    </p>
  );
}
