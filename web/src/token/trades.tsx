import { useEffect } from "preact/hooks";
import type { EventList } from "../data/event-list.ts";
import { formatNumber, fromUnits } from "../format/number.ts";
import { Amount } from "../parts/amount.tsx";
import { memo } from "../parts/memo.ts";
import { OlderButton } from "../parts/older-button.tsx";
import { Pending } from "../parts/pending.tsx";
import { Age } from "../parts/time.tsx";
import { TransactionLink } from "../parts/transaction-link.tsx";
import { AccountCell, rowClass, shownRoles } from "./account-cell.tsx";
import type { Role } from "./account-roles.ts";
import type { TokenDetails, Trade } from "./data.ts";

/** The token's trades as they happen. The visitor's and the creator's are marked. */
export function Trades({ token, list }: { token: TokenDetails; list: EventList<Trade> }) {
  useEffect(list.open, [list]);
  const trades = list.entries.value;
  if (trades === undefined) return <Pending error={list.error.value} retry={() => void list.reload()} />;
  if (trades.length === 0) return <p class="tab-empty muted">Nobody has traded it yet.</p>;
  return (
    <>
      <div class="scroll-x">
        <table class="rows">
          <caption class="visually-hidden">Trades, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Age</th>
              <th scope="col">Side</th>
              <th scope="col">Amount</th>
              <th scope="col">Tokens</th>
              <th scope="col" class="is-extra">
                Price after
              </th>
              <th scope="col">Account</th>
              <th scope="col">
                <span class="visually-hidden">Transaction</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {trades.map((trade) => (
              <Row
                key={`${trade.tx} ${trade.logIndex}`}
                trade={trade}
                who={shownRoles({ address: trade.trader }, token)[0]}
              />
            ))}
          </tbody>
        </table>
      </div>
      <OlderButton list={list}>Older trades</OlderButton>
    </>
  );
}

const Row = memo(function Row({ trade, who }: { trade: Trade; who: Role | undefined }) {
  const isBuy = trade.side === "buy";
  const shown = who === undefined ? [] : [who];
  return (
    <tr class={rowClass(shown)}>
      <td class="muted">
        <Age time={trade.timestamp} />
      </td>
      <td class="trade-side">
        <span class={isBuy ? "up" : "down"}>{isBuy ? "Buy" : "Sell"}</span>
        {trade.venue === "dex" && <span class="muted"> DEX</span>}
      </td>
      <td>
        <Amount bnb={fromUnits(trade.bnbAmountWei)} usd={trade.amountUsd} />
      </td>
      <td class="number">{formatNumber(fromUnits(trade.tokenAmountRaw))}</td>
      <td class="is-extra">
        <Amount bnb={trade.priceAfterBnb} usd={trade.priceAfterUsd} unit={false} />
      </td>
      <td>
        <AccountCell address={trade.trader} shown={shown} />
      </td>
      <td>
        <TransactionLink chainId={trade.chainId} tx={trade.tx} />
      </td>
    </tr>
  );
});
