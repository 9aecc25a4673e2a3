import { useState } from "preact/hooks";
import { formatNumber, formatPercent, fromUnits } from "../format/number.ts";
import { Pending } from "../parts/pending.tsx";
import { AccountCell, RoleLegend, rowClass, shownRoles } from "./account-cell.tsx";
import { useChanges } from "./changes.ts";
import { type Holder, type TokenDetails, useHolders } from "./data.ts";
import { Distribution } from "./distribution.tsx";
import type { TokenTabProps } from "./tabs.tsx";

/** The token's holders, largest first, and a chart of its distribution. */
export default function Holders({ token, changes }: TokenTabProps) {
  const [page, setPage] = useState(1);
  const first = useHolders(token.mint, 1);
  const holders = useHolders(token.mint, page);
  useChanges(changes, () => {
    for (const resource of new Set([first, holders])) void resource.reload();
  });
  const shown = holders.data.value;
  if (shown === undefined) {
    return <Pending error={holders.error.value} retry={() => void holders.reload()} />;
  }
  const largest = first.data.value?.holders[0]?.percent ?? 100;
  return (
    <>
      {first.data.value !== undefined && <Distribution page={first.data.value} />}
      <div class="scroll-x">
        <table class="rows">
          <caption class="visually-hidden">Holders, largest first</caption>
          <thead>
            <tr>
              <th scope="col">Rank</th>
              <th scope="col">Account</th>
              <th scope="col">Tokens</th>
              <th scope="col">Share of supply</th>
            </tr>
          </thead>
          <tbody>
            {shown.holders.map((holder) => (
              <Row key={holder.address} holder={holder} token={token} largest={largest} />
            ))}
          </tbody>
        </table>
      </div>
      {(page > 1 || shown.hasMore) && (
        <nav class="pages" aria-label="Pages of holders">
          <button type="button" class="button" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Larger
          </button>
          <span class="muted number">
            {(page - 1) * 50 + 1}–{(page - 1) * 50 + shown.holders.length}
          </span>
          <button type="button" class="button" disabled={!shown.hasMore} onClick={() => setPage(page + 1)}>
            Smaller
          </button>
        </nav>
      )}
      <RoleLegend accounts={shown.holders} />
    </>
  );
}

function Row({ holder, token, largest }: { holder: Holder; token: TokenDetails; largest: number }) {
  const shown = shownRoles(holder, token);
  return (
    <tr class={rowClass(shown)}>
      <td class="muted number">{holder.rank}</td>
      <td>
        <AccountCell address={holder.address} shown={shown} />
      </td>
      <td class="number">{formatNumber(fromUnits(holder.balanceRaw))}</td>
      <td class="number holder-share">
        <span class="bar" style={{ "--share": String(holder.percent / largest) }} aria-hidden="true" />
        {formatPercent(holder.percent, 2)}
      </td>
    </tr>
  );
}
