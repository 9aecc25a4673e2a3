import { useState } from "preact/hooks";
import { formatNumber, formatPercent, fromUnits } from "../format/number.ts";
import { AccountLink } from "../parts/address.tsx";
import { Pending } from "../parts/pending.tsx";
import { account } from "../wallet/account.ts";
import { type HoldersPage, type TokenDetails, useHolders } from "./data.ts";
import { Distribution } from "./distribution.tsx";

/** The token's holders, largest first, and a chart of its distribution. */
export function Holders({ token }: { token: TokenDetails }) {
  const [page, setPage] = useState(1);
  const first = useHolders(token.mint, 1);
  const holders = useHolders(token.mint, page);
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
              <Row key={holder.address} holder={holder} largest={largest} />
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
    </>
  );
}

const labels = { launchpad: "bonding curve", pair: "DEX pool", creator: "creator", burn: "burned" } as const;

function Row({ holder, largest }: { holder: HoldersPage["holders"][number]; largest: number }) {
  const isYou = holder.address === account.value;
  return (
    <tr class={isYou ? "is-you" : holder.label === "creator" ? "is-creator" : ""}>
      <td class="muted number">{holder.rank}</td>
      <td>
        <AccountLink address={holder.address} />
        {isYou && <span class="badge is-accent">you</span>}
        {holder.label !== null && <span class="badge">{labels[holder.label]}</span>}
        {holder.labels.slice(0, 1).map(
          // The creator has a badge already.
          (label) => label !== "creator" && <span class="badge">{label}</span>,
        )}
      </td>
      <td class="number">{formatNumber(fromUnits(holder.balanceRaw))}</td>
      <td class="number holder-share">
        <span class="bar" style={{ "--share": String(holder.percent / largest) }} aria-hidden="true" />
        {formatPercent(holder.percent, 2)}
      </td>
    </tr>
  );
}
