import { useEffect, useMemo, useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import type { EventList } from "../data/event-list.ts";
import { formatNumber, fromUnits, parseAmount } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { Choices } from "../parts/choices.tsx";
import { OlderButton } from "../parts/event-rows.tsx";
import { TransactionLink } from "../parts/links.tsx";
import { memo } from "../parts/memo.ts";
import { Pending, useRetry } from "../parts/problem.tsx";
import { Rows } from "../parts/rows.tsx";
import { Age } from "../parts/time.tsx";
import { account } from "../wallet/connection.ts";
import { AccountCell, rowClass, shownRoles } from "./account-cell.tsx";
import type { Role } from "./account-roles.ts";
import { createTradeList, type Lists, type TokenDetails, type Trade } from "./data.ts";

const sizes = ["0.001", "0.01", "0.1"] as const;

type Whose = "all" | "mine" | "creator";

type TradesProps = {
  token: TokenDetails;
  list: EventList<Trade>;
  /** Those that the page keeps up to date. */
  lists: Lists;
};

/** The token's trades as they happen: all, the visitor's or the creator's, of any size or from one on. */
export function Trades({ token, list, lists }: TradesProps) {
  const [chosen, choose] = useState<Whose>("all");
  const [least, setLeast] = useState("");
  const visitor = account.value;
  // Nobody is "mine" once the wallet is disconnected.
  const whose = chosen === "mine" && visitor === undefined ? "all" : chosen;
  const trader = { all: undefined, mine: visitor, creator: token.creator }[whose];
  const shownList = useMemo(
    () => (trader === undefined ? list : createTradeList(token.mint, trader)),
    [list, trader, token.mint],
  );
  useEffect(shownList.open, [shownList]);
  useEffect(() => {
    if (shownList === list) return;
    lists.add(shownList);
    return () => {
      lists.delete(shownList);
    };
  }, [shownList, list, lists]);
  const people = [
    { value: "all", label: t.token.whoseTrades.all },
    ...(visitor === undefined ? [] : [{ value: "mine", label: t.token.whoseTrades.mine } as const]),
    { value: "creator", label: t.token.whoseTrades.creator },
  ] as const;
  return (
    <>
      <div class="trade-filters">
        <Choices label={t.token.whose} value={whose} choices={people} onChange={choose} />
        <label class="select">
          <span class="visually-hidden">{t.token.size}</span>
          <select value={least} onChange={(event) => setLeast(event.currentTarget.value)}>
            <option value="">{t.token.anySize}</option>
            {sizes.map((size) => (
              <option key={size} value={size}>
                {t.token.sizeFrom(`${size} ${coin.value}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <TradeRows token={token} list={shownList} least={least} />
    </>
  );
}

type TradeRowsProps = { token: TokenDetails; list: EventList<Trade>; least: string };

function TradeRows({ token, list, least }: TradeRowsProps) {
  const all = list.entries.value;
  useRetry(all && list.error.value, list.reload);
  if (all === undefined) return <Pending of={list} />;
  const leastWei = parseAmount(least).units ?? 0n;
  const trades = all.filter(({ bnbAmountWei }) => BigInt(bnbAmountWei) >= leastWei);
  if (trades.length === 0) {
    return (
      <>
        <p class="tab-empty muted">{all.length === 0 ? t.token.noTrades : t.token.noneSoLarge(all.length)}</p>
        <OlderButton list={list}>{t.common.olderTrades}</OlderButton>
      </>
    );
  }
  return (
    <>
      <Rows
        caption={t.common.tradesNewestFirst}
        columns={[
          t.common.age,
          t.common.side,
          t.common.amount,
          t.common.tokens,
          { name: t.token.priceAfter, isExtra: true },
          t.common.account,
          { name: t.common.transaction, isNameHidden: true },
        ]}
      >
        {trades.map((trade) => (
          <Row
            key={`${trade.tx} ${trade.logIndex}`}
            trade={trade}
            who={shownRoles({ address: trade.trader }, token)[0]}
          />
        ))}
      </Rows>
      <OlderButton list={list}>{t.common.olderTrades}</OlderButton>
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
        <span class={isBuy ? "up" : "down"}>{isBuy ? t.common.buy : t.common.sell}</span>
        {trade.venue === "dex" && <span class="muted"> DEX</span>}
      </td>
      <td class={isBuy ? "up" : "down"}>
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
