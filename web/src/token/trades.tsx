import { useState } from "preact/hooks";
import { formatNumber, fromUnits } from "../format/number.ts";
import { AccountLink } from "../parts/address.tsx";
import { Amount } from "../parts/amount.tsx";
import { memo } from "../parts/memo.ts";
import { Pending } from "../parts/pending.tsx";
import { Age } from "../parts/time.tsx";
import { TransactionLink } from "../parts/transaction-link.tsx";
import { account } from "../wallet/account.ts";
import type { TokenDetails, Trade } from "./data.ts";
import type { TradeList } from "./trade-list.ts";

/** The token's trades as they happen. The visitor's and the creator's are marked. */
export function Trades({ token, list }: { token: TokenDetails; list: TradeList }) {
  const [isReading, setIsReading] = useState(false);
  const trades = list.trades.value;
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
                who={roleOf(trade.trader, token.creator)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {list.hasMore.value && (
        <button
          type="button"
          class="button more"
          disabled={isReading}
          onClick={async () => {
            setIsReading(true);
            await list.readMore();
            setIsReading(false);
          }}
        >
          Older trades
        </button>
      )}
    </>
  );
}

function roleOf(trader: string, creator: string): "you" | "creator" | undefined {
  if (trader === account.value) return "you";
  return trader === creator ? "creator" : undefined;
}

const Row = memo(function Row({ trade, who }: { trade: Trade; who: "you" | "creator" | undefined }) {
  const isBuy = trade.side === "buy";
  return (
    <tr class={who === undefined ? "" : `is-${who}`}>
      <td class="muted">
        <Age time={trade.timestamp} />
      </td>
      <td>
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
        <AccountLink address={trade.trader} />
        {who !== undefined && <span class="badge is-accent">{who}</span>}
      </td>
      <td>
        <TransactionLink chainId={trade.chainId} tx={trade.tx} />
      </td>
    </tr>
  );
});
