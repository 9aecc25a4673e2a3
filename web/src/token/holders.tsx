import { useState } from "preact/hooks";
import { useLast } from "../data/resource.ts";
import { formatNumber, formatPercent, fromUnits, groupDigits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Pager } from "../parts/pager.tsx";
import { Pending } from "../parts/problem.tsx";
import { Table } from "../parts/rows.tsx";
import { AccountCell, RoleLegend, rowClass, shownRoles } from "./account-cell.tsx";
import { type HoldersPage, useChanges, useHolders } from "./data.ts";
import type { TokenTabProps } from "./tabs.tsx";

/** The token's holders, largest first, and a chart of its distribution. */
export default function Holders({ token, changes }: TokenTabProps) {
  const [page, setPage] = useState(1);
  const first = useHolders(token.mint, 1);
  const holders = useHolders(token.mint, page);
  useChanges(changes, () => {
    for (const resource of new Set([first, holders])) void resource.reload();
  });
  const { data, error } = holders;
  const shown = useLast(data.value);
  if (shown === undefined || (data.value === undefined && error.value !== undefined))
    return <Pending of={holders} />;
  const largest = first.data.value?.holders[0]?.percent ?? 100;
  return (
    <>
      {first.data.value !== undefined && <Distribution page={first.data.value} />}
      <Table
        caption={t.token.holdersLargestFirst}
        entries={shown.holders}
        getKey={({ address }) => address}
        rowClass={(holder) => rowClass(shownRoles(holder, token))}
        columns={[
          { name: t.common.rank, class: "muted number", cell: ({ rank }) => rank },
          {
            name: t.common.account,
            cell: (holder) => <AccountCell address={holder.address} shown={shownRoles(holder, token)} />,
          },
          {
            name: t.common.tokens,
            class: "number",
            cell: ({ balanceRaw }) => formatNumber(fromUnits(balanceRaw)),
          },
          {
            name: t.common.shareOfSupply,
            class: "number holder-share",
            cell: ({ percent }) => (
              <>
                <span class="bar" style={{ "--share": String(percent / largest) }} aria-hidden="true" />
                {formatPercent(percent, 2)}
              </>
            ),
          },
        ]}
      />
      {(page > 1 || shown.hasMore) && (
        <Pager
          label={t.token.holderPages}
          page={page}
          hasMore={shown.hasMore}
          back={t.token.larger}
          next={t.token.smaller}
          onTurn={setPage}
        >
          <span class="muted number">
            {shown.holders[0]?.rank}–{shown.holders.at(-1)?.rank}
          </span>
        </Pager>
      )}
      <RoleLegend accounts={shown.holders} />
    </>
  );
}

type Part = { name: string; kind: string; percent: number };

/** The distribution of the supply as one bar: pools, burned tokens, the creator, the ten largest others, and everyone else. */
function Distribution({ page }: { page: HoldersPage }) {
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
            {t.token.effectiveHolders(groupDigits(effectiveHolders, { maximumFractionDigits: 1 }))}
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
  const labelledHolders = ["launchpad", "pair", "burn", "creator"].map(labelled);
  const [launchpad = 0, pair = 0, burn = 0, creator = 0] = labelledHolders;
  const largest = sum(others.slice(0, 10));
  const rest = Math.max(0, 100 - launchpad - pair - burn - creator - largest);
  return [
    { name: t.token.parts.launchpad, kind: "pool", percent: launchpad },
    { name: t.token.parts.pair, kind: "pool", percent: pair },
    { name: t.token.parts.burn, kind: "burn", percent: burn },
    { name: t.token.parts.creator, kind: "creator", percent: creator },
    { name: t.token.parts.top, kind: "top", percent: largest },
    // A smaller rest is a rounding error.
    { name: t.token.parts.rest, kind: "rest", percent: rest < 0.001 ? 0 : rest },
  ];
}
