import { formatPercent, groupDigits } from "../format/number.ts";
import type { HoldersPage } from "./data.ts";

type Part = { name: string; kind: string; percent: number };

/** The distribution of the supply as one bar: pools, burned tokens, the creator, the ten largest others, and everyone else. */
export function Distribution({ page }: { page: HoldersPage }) {
  const parts = splitSupply(page).filter(({ percent }) => percent > 0);
  const { effectiveHolders = null } = page.risk ?? {};
  return (
    <figure class="distribution">
      <div class="distribution-bar" aria-hidden="true">
        {parts.map(({ name, kind, percent }) => (
          <span
            key={name}
            class={`is-${kind}`}
            style={{ flexGrow: String(percent) }}
            title={`${name}: ${formatPercent(percent)}`}
          />
        ))}
      </div>
      <figcaption>
        <ul class="legend">
          {parts.map(({ name, kind, percent }) => (
            <li key={name}>
              <span class={`swatch is-${kind}`} aria-hidden="true" />
              {name} <strong class="number">{formatPercent(percent)}</strong>
            </li>
          ))}
        </ul>
        {effectiveHolders !== null && (
          <p class="muted">
            As concentrated as if {groupDigits(effectiveHolders, { maximumFractionDigits: 1 })} accounts held
            equal parts of the circulating supply.
          </p>
        )}
      </figcaption>
    </figure>
  );
}

function splitSupply({ holders }: HoldersPage): Part[] {
  const sum = (chosen: HoldersPage["holders"]) => chosen.reduce((total, { percent }) => total + percent, 0);
  const labelled = (label: string) => sum(holders.filter((holder) => holder.label === label));
  const others = holders.filter(({ label }) => label === null);
  const known = ["launchpad", "pair", "burn", "creator"].map(labelled);
  const [launchpad = 0, pair = 0, burn = 0, creator = 0] = known;
  const largest = sum(others.slice(0, 10));
  const rest = Math.max(0, 100 - launchpad - pair - burn - creator - largest);
  return [
    { name: "Bonding curve", kind: "pool", percent: launchpad },
    { name: "DEX pool", kind: "pool", percent: pair },
    { name: "Burned", kind: "burn", percent: burn },
    { name: "Creator", kind: "creator", percent: creator },
    { name: "Ten largest others", kind: "top", percent: largest },
    // A smaller rest is a rounding error.
    { name: "Everyone else", kind: "rest", percent: rest < 0.001 ? 0 : rest },
  ];
}
