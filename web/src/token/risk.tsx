import { formatPercent } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";
import type { TokenDetails } from "./data.ts";
import { riskNotes, riskVerdict, shareLevel } from "./risk-notes.tsx";

const icons = { warning: "warning", note: "holders", good: "check" } as const;

const tiles = [
  ["creator", "creatorPercent"],
  ["topTen", "top10Percent"],
  ["early", "snipersPercent"],
  ["bundlers", "bundlersPercent"],
  ["insiders", "insidersPercent"],
] as const;

/** Who holds how much of what circulates, coloured by the thresholds of the notes. */
function RiskTiles({ risk }: { risk: TokenDetails["risk"] }) {
  return (
    <dl class="risk-tiles" title={t.token.riskShares}>
      {tiles.map(([kind, share]) => {
        const percent = risk[share];
        const level = percent === null ? undefined : shareLevel(kind, percent);
        return (
          <div key={kind} class={level === undefined ? "" : `is-${level}`}>
            <dt>{t.token.riskTiles[kind]}</dt>
            <dd>
              {percent === null ? "–" : formatPercent(percent, percent < 10 ? 1 : 0)}
              {level !== undefined && <span class="visually-hidden"> ({t.token.riskLevels[level]})</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** The token's risks, in numbers and words. */
export function RiskPanel({ token }: { token: TokenDetails }) {
  const { risk } = token;
  return (
    <section class="panel risk" aria-labelledby="risk-title">
      <h2 id="risk-title" class="panel-title">
        {t.token.risk}
      </h2>
      <RiskTiles risk={risk} />
      <ul class="risk-notes">
        {riskNotes(token).map(({ level, text }) => (
          <li key={text} class={`is-${level}`}>
            <Icon name={icons[level]} />
            <span>
              <span class="visually-hidden">{t.token.riskPrefixes[level]}</span>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The risks in a word, with the worst of them and the shares that they are judged by. */
export function RiskVerdict({ token }: { token: TokenDetails }) {
  const notes = riskNotes(token);
  const { level, text } = riskVerdict(notes);
  const [worst] = notes;
  return (
    <div class="verdict-place">
      <RiskTiles risk={token.risk} />
      <p class={`verdict is-${level}`}>
        <Icon name={level === "none" ? "check" : "warning"} />
        <span>
          <strong>{text}</strong>
          {worst?.level === "warning" && <span class="muted"> · {worst.text}</span>}
        </span>
      </p>
    </div>
  );
}
