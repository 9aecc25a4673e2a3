import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { chainId } from "../data/chain.ts";
import { client } from "../data/client.ts";
import { getTokenImage } from "../data/token-images.ts";
import { formatNumber, formatPercent, fromUnits } from "../format/number.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { Rows } from "../parts/rows.tsx";
import { Age } from "../parts/time.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { tokenPath, withChain } from "../routing/router.ts";
import type { Account } from "./page.tsx";
import { createReader } from "./read-more.ts";
import { Result } from "./result.tsx";

type ListProps<Entry> = {
  caption: string;
  emptyText: string;
  columns: string[];
  /** A kind of table that CSS knows. */
  kind?: string;
  /** The columns that are hidden on narrow screens. Their cells have the class `is-extra`. */
  extra: string[];
  first: Entry[];
  /** Whether there are more entries than the first ones. */
  hasMore: boolean;
  readAll: () => AsyncGenerator<Entry, void, void>;
  row: (entry: Entry) => ComponentChildren;
  getKey: (entry: Entry) => string;
};

/** The number of rows that "More" adds. */
const pageSize = 100;

/** A table of an account's tokens or trades, with a button that reads more of them. */
function List<Entry>({
  caption,
  emptyText,
  columns,
  kind,
  extra,
  first,
  hasMore,
  readAll,
  row,
  getKey,
}: ListProps<Entry>) {
  const [more, setMore] = useState<{ entries: Entry[]; isComplete: boolean }>();
  const [isReading, setIsReading] = useState(false);
  // The first ones are read again while the page is open, and then the others too.
  const isFirst = new Set(first.map(getKey));
  const entries = [...first, ...(more?.entries ?? []).filter((entry) => !isFirst.has(getKey(entry)))];
  const [reader] = useState(createReader<Entry>);
  const read = async (wanted: number) => {
    setIsReading(true);
    try {
      const next = await reader(readAll, wanted);
      // Another one, which began later, is under way.
      if (next === undefined) return;
      setMore(next);
    } catch {
      // The button remains, to try again.
    }
    setIsReading(false);
  };
  useEffect(() => {
    if (more !== undefined) void read(entries.length);
  }, [first]);
  if (entries.length === 0) return <p class="tab-empty muted">{emptyText}</p>;
  return (
    <>
      <Rows
        caption={caption}
        columns={columns.map((name) => ({ name, isExtra: extra.includes(name) }))}
        kind={kind}
      >
        {entries.map((entry) => (
          <tr key={getKey(entry)}>{row(entry)}</tr>
        ))}
      </Rows>
      {(more === undefined ? hasMore : !more.isComplete) && (
        <button
          type="button"
          class="button more"
          disabled={isReading}
          onClick={() => void read(entries.length + pageSize)}
        >
          {t.common.more}
        </button>
      )}
    </>
  );
}

type Props = { account: Account };
const byMint = ({ mint }: TokenRef) => mint;
const chain = () => ({ chainId: chainId.peek() });

export function Holdings({ account }: Props) {
  return (
    <List
      caption={t.account.holdingsCaption}
      emptyText={t.account.noHoldings}
      columns={[t.common.token, t.common.tokens, t.common.shareOfSupply, t.account.value, t.common.ifSoldNow]}
      kind="is-numbers"
      extra={[t.common.shareOfSupply, t.account.value]}
      first={account.holdings}
      hasMore={account.nextCursor.holdings !== null}
      readAll={() => client.holdings(account.address, chain())}
      getKey={byMint}
      row={(holding) => (
        <>
          <td>
            <Token token={holding} />
          </td>
          <td class="number">{formatNumber(fromUnits(holding.balanceRaw))}</td>
          <td class="number is-extra">{formatPercent(holding.percent, 2)}</td>
          <td class="is-extra">
            <Amount bnb={holding.valueBnb} usd={holding.valueUsd} />
          </td>
          <td>
            <Amount bnb={holding.exitBnb} usd={holding.exitUsd} />
          </td>
        </>
      )}
    />
  );
}

export function Positions({ account }: Props) {
  return (
    <List
      caption={t.account.resultsCaption}
      emptyText={t.account.noResults}
      columns={[
        t.common.token,
        t.account.bought,
        t.account.sold,
        t.common.realised,
        t.account.unrealisedIfSold,
        t.account.lastTrade,
      ]}
      kind="is-numbers"
      extra={[t.account.bought, t.account.sold, t.account.lastTrade]}
      first={account.positions}
      hasMore={account.nextCursor.positions !== null}
      readAll={() => client.positions(account.address, chain())}
      getKey={byMint}
      row={(position) => (
        <>
          <td>
            <Token token={position} />
            <Moved {...position} />
          </td>
          <td class="is-extra">
            <Amount bnb={fromUnits(position.bnbSpentWei)} usd={position.spentUsd} />
          </td>
          <td class="is-extra">
            <Amount bnb={fromUnits(position.bnbReceivedWei)} usd={position.receivedUsd} />
          </td>
          <td>
            <Result bnb={position.realisedBnb} usd={position.realisedUsd} />
          </td>
          <td>
            <Result bnb={position.unrealisedAtExitBnb} usd={position.unrealisedAtExitUsd} />
          </td>
          <td class="muted is-extra">{position.lastTradeAt && <Age time={position.lastTradeAt} />}</td>
        </>
      )}
    />
  );
}

/** The tokens that came and went other than by trades, if there are any. */
function Moved({ receivedRaw, sentRaw }: { receivedRaw: string; sentRaw: string }) {
  const parts = [
    ...(receivedRaw === "0" ? [] : [t.account.received(formatNumber(fromUnits(receivedRaw)))]),
    ...(sentRaw === "0" ? [] : [t.account.sent(formatNumber(fromUnits(sentRaw)))]),
  ];
  if (parts.length === 0) return null;
  return (
    <span class="muted second-line" title={t.account.movedMeaning}>
      {parts.map((part) => (
        <span key={part} class="number">
          {part}
        </span>
      ))}
    </span>
  );
}

export function Trades({ account }: Props) {
  return (
    <List
      caption={t.common.tradesNewestFirst}
      emptyText={t.account.noTrades}
      columns={[
        t.common.token,
        t.common.side,
        t.common.amount,
        t.common.tokens,
        t.common.price,
        t.common.age,
      ]}
      extra={[t.common.tokens, t.common.price]}
      first={account.trades}
      hasMore={account.nextCursor.trades !== null}
      readAll={() => client.trades({ trader: account.address, ...chain() })}
      getKey={({ tx, logIndex }) => `${tx} ${logIndex}`}
      row={(trade) => (
        <>
          <td>
            <Token token={trade} />
          </td>
          <td class={trade.side === "buy" ? "up" : "down"}>{t.common[trade.side]}</td>
          <td>
            <Amount bnb={fromUnits(trade.bnbAmountWei)} usd={trade.amountUsd} />
          </td>
          <td class="number is-extra">{formatNumber(fromUnits(trade.tokenAmountRaw))}</td>
          <td class="is-extra">
            <Amount bnb={trade.priceBnb} usd={trade.priceUsd} unit={false} />
          </td>
          <td class="muted">
            <Age time={trade.timestamp} />
          </td>
        </>
      )}
    />
  );
}

export function CreatedTokens({ account }: Props) {
  return (
    <List
      caption={t.account.createdCaption}
      emptyText={t.account.noCreated}
      columns={[
        t.common.token,
        t.common.marketCap,
        t.account.progress,
        t.account.earned,
        t.common.holders,
        t.common.age,
      ]}
      kind="is-numbers"
      extra={[t.common.marketCap, t.common.holders, t.common.age]}
      first={account.createdTokens}
      hasMore={account.nextCursor.createdTokens !== null}
      readAll={() => client.createdTokens(account.address, chain())}
      getKey={byMint}
      row={(token) => (
        <>
          <td>
            <Token token={token} />
          </td>
          <td class="is-extra">
            <Amount bnb={token.marketCapBnb} usd={token.marketCapUsd} />
          </td>
          <td class="number">{token.graduated ? t.account.listed : formatPercent(token.progress)}</td>
          <td>
            <Result bnb={token.realisedBnb} />
          </td>
          <td class="number is-extra">{token.holderCount}</td>
          <td class="muted is-extra">
            <Age time={token.createdAt} />
          </td>
        </>
      )}
    />
  );
}

type TokenRef = { mint: string; name: string; symbol: string; hidden?: true | undefined };

/** The token that a row is about. A hidden token has no name here; its page gives the reason. */
export function Token({ token }: { token: TokenRef }) {
  if (token.hidden) {
    return (
      <a class="row-token muted" href={withChain(tokenPath(token.mint))}>
        {t.account.hiddenToken}
      </a>
    );
  }
  return (
    <a class="row-token" href={withChain(tokenPath(token.mint))}>
      <TokenImage token={{ ...token, imageUrl: getTokenImage(token.mint) }} size={24} />
      <bdi>{displayName(token.name)}</bdi> <bdi class="muted">{displaySymbol(token.symbol)}</bdi>
    </a>
  );
}
