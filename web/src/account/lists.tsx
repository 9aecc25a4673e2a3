import { useEffect, useState } from "preact/hooks";
import { chainId } from "../data/chain.ts";
import { client } from "../data/client.ts";
import { getTokenImage } from "../data/token-images.ts";
import { formatNumber, formatPercent, fromUnits } from "../format/number.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { Table, type TableProps } from "../parts/rows.tsx";
import { Age } from "../parts/time.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { tokenPath, withChain } from "../routing/router.ts";
import type { Account } from "./page.tsx";
import { createReader } from "./read-more.ts";
import { Result } from "./result.tsx";

type ListProps<Entry> = Omit<TableProps<Entry>, "entries"> & {
  emptyText: string;
  first: Entry[];
  /** Whether there are more entries than the first ones. */
  hasMore: boolean;
  readAll: () => AsyncGenerator<Entry, void, void>;
};

/** The number of rows that "More" adds. */
const pageSize = 100;

/** A table of an account's tokens or trades, with a button that reads more of them. */
function List<Entry>({ emptyText, first, hasMore, readAll, ...table }: ListProps<Entry>) {
  const { getKey } = table;
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
      <Table {...table} entries={entries} />
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
      kind="is-numbers"
      first={account.holdings}
      hasMore={account.nextCursor.holdings !== null}
      readAll={() => client.holdings(account.address, chain())}
      getKey={byMint}
      columns={[
        { name: t.common.token, cell: (holding) => <Token token={holding} /> },
        {
          name: t.common.tokens,
          class: "number",
          cell: ({ balanceRaw }) => formatNumber(fromUnits(balanceRaw)),
        },
        {
          name: t.common.shareOfSupply,
          isExtra: true,
          class: "number",
          cell: ({ percent }) => formatPercent(percent, 2),
        },
        {
          name: t.account.value,
          isExtra: true,
          cell: (one) => <Amount bnb={one.valueBnb} usd={one.valueUsd} />,
        },
        { name: t.common.ifSoldNow, cell: ({ exitBnb, exitUsd }) => <Amount bnb={exitBnb} usd={exitUsd} /> },
      ]}
    />
  );
}

export function Positions({ account }: Props) {
  return (
    <List
      caption={t.account.resultsCaption}
      emptyText={t.account.noResults}
      kind="is-numbers"
      first={account.positions}
      hasMore={account.nextCursor.positions !== null}
      readAll={() => client.positions(account.address, chain())}
      getKey={byMint}
      columns={[
        {
          name: t.common.token,
          cell: (position) => (
            <>
              <Token token={position} />
              <Moved {...position} />
            </>
          ),
        },
        {
          name: t.account.bought,
          isExtra: true,
          cell: ({ bnbSpentWei, spentUsd }) => <Amount bnb={fromUnits(bnbSpentWei)} usd={spentUsd} />,
        },
        {
          name: t.account.sold,
          isExtra: true,
          cell: ({ bnbReceivedWei, receivedUsd }) => (
            <Amount bnb={fromUnits(bnbReceivedWei)} usd={receivedUsd} />
          ),
        },
        { name: t.common.realised, cell: (one) => <Result bnb={one.realisedBnb} usd={one.realisedUsd} /> },
        {
          name: t.account.unrealisedIfSold,
          cell: ({ unrealisedAtExitBnb, unrealisedAtExitUsd, exitBnb, exitUsd }) => (
            <Result
              bnb={unrealisedAtExitBnb}
              usd={unrealisedAtExitUsd}
              proceeds={{ bnb: exitBnb, usd: exitUsd }}
            />
          ),
        },
        {
          name: t.account.lastTrade,
          isExtra: true,
          class: "muted",
          cell: ({ lastTradeAt }) => lastTradeAt && <Age time={lastTradeAt} />,
        },
      ]}
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
      first={account.trades}
      hasMore={account.nextCursor.trades !== null}
      readAll={() => client.trades({ trader: account.address, ...chain() })}
      getKey={({ tx, logIndex }) => `${tx} ${logIndex}`}
      columns={[
        { name: t.common.token, cell: (trade) => <Token token={trade} /> },
        {
          name: t.common.side,
          class: ({ side }) => (side === "buy" ? "up" : "down"),
          cell: ({ side }) => t.common[side],
        },
        {
          name: t.common.amount,
          cell: ({ bnbAmountWei, amountUsd }) => <Amount bnb={fromUnits(bnbAmountWei)} usd={amountUsd} />,
        },
        {
          name: t.common.tokens,
          isExtra: true,
          class: "number",
          cell: ({ tokenAmountRaw }) => formatNumber(fromUnits(tokenAmountRaw)),
        },
        {
          name: t.common.price,
          isExtra: true,
          cell: ({ priceBnb, priceUsd }) => <Amount bnb={priceBnb} usd={priceUsd} unit={false} />,
        },
        { name: t.common.age, class: "muted", cell: ({ timestamp }) => <Age time={timestamp} /> },
      ]}
    />
  );
}

export function CreatedTokens({ account }: Props) {
  return (
    <List
      caption={t.account.createdCaption}
      emptyText={t.account.noCreated}
      kind="is-numbers"
      first={account.createdTokens}
      hasMore={account.nextCursor.createdTokens !== null}
      readAll={() => client.createdTokens(account.address, chain())}
      getKey={byMint}
      columns={[
        { name: t.common.token, cell: (token) => <Token token={token} /> },
        {
          name: t.common.marketCap,
          isExtra: true,
          cell: ({ marketCapBnb, marketCapUsd }) => <Amount bnb={marketCapBnb} usd={marketCapUsd} />,
        },
        {
          name: t.account.progress,
          class: "number",
          cell: ({ graduated, progress }) => (graduated ? t.account.listed : formatPercent(progress)),
        },
        { name: t.account.earned, cell: ({ realisedBnb }) => <Result bnb={realisedBnb} /> },
        { name: t.common.holders, isExtra: true, class: "number", cell: ({ holderCount }) => holderCount },
        {
          name: t.common.age,
          isExtra: true,
          class: "muted",
          cell: ({ createdAt }) => <Age time={createdAt} />,
        },
      ]}
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
