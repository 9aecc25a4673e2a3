import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { chainId } from "../data/chain.ts";
import { client } from "../data/client.ts";
import { imageOf } from "../data/token-images.ts";
import { formatNumber, formatPercent, fromUnits } from "../format/number.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { Amount } from "../parts/amount.tsx";
import { Age } from "../parts/time.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { tokenPath } from "../routing/routes.ts";
import { withChain } from "../routing/with-chain.ts";
import type { Account } from "./page.tsx";
import { Result } from "./result.tsx";

type Listed = { mint: string; name: string; symbol: string; hidden?: true | undefined };

/** The token that a row is about. A hidden one has no name here, and its page has the reason. */
function Token({ token }: { token: Listed }) {
  if (token.hidden) {
    return (
      <a class="row-token muted" href={withChain(tokenPath(token.mint))}>
        Hidden token
      </a>
    );
  }
  return (
    <a class="row-token" href={withChain(tokenPath(token.mint))}>
      <TokenImage token={{ ...token, imageUrl: imageOf(token.mint) }} size={24} />
      <bdi>{displayName(token.name)}</bdi> <bdi class="muted">{displaySymbol(token.symbol)}</bdi>
    </a>
  );
}

type ListProps<Entry> = {
  caption: string;
  nothing: string;
  columns: string[];
  /** Of the columns, those that narrow screens have no room for; their cells are `is-extra`. */
  extra: string[];
  first: Entry[];
  /** Whether there are more than the first, which are read when they are asked for. */
  hasMore: boolean;
  all: () => AsyncGenerator<Entry, void, void>;
  row: (entry: Entry) => ComponentChildren;
  keyOf: (entry: Entry) => string;
};

/** Rows that are shown at once when more are asked for. */
const step = 100;

function List<Entry>({
  caption,
  nothing,
  columns,
  extra,
  first,
  hasMore,
  all,
  row,
  keyOf,
}: ListProps<Entry>) {
  const [more, setMore] = useState<{ entries: Entry[]; isComplete: boolean }>();
  const [isReading, setIsReading] = useState(false);
  const entries = more?.entries ?? first;
  if (entries.length === 0) return <p class="tab-empty muted">{nothing}</p>;
  const read = async () => {
    setIsReading(true);
    const wanted = entries.length + step;
    const found: Entry[] = [];
    let isComplete = true;
    try {
      for await (const entry of all()) {
        found.push(entry);
        isComplete = found.length < wanted;
        if (!isComplete) break;
      }
      setMore({ entries: found, isComplete });
    } finally {
      setIsReading(false);
    }
  };
  return (
    <>
      <div class="scroll-x">
        <table class="rows">
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" class={extra.includes(column) ? "is-extra" : ""}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={keyOf(entry)}>{row(entry)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {(more === undefined ? hasMore : !more.isComplete) && (
        <button
          type="button"
          class="button more"
          disabled={isReading}
          onClick={() => void read().catch(() => {})}
        >
          More
        </button>
      )}
    </>
  );
}

type Props = { account: Account };
const byMint = ({ mint }: Listed) => mint;
const chain = () => ({ chainId: chainId.peek() });

export function Holdings({ account }: Props) {
  return (
    <List
      caption="Holdings, what is worth most first"
      nothing="It holds no token of this launchpad."
      columns={["Token", "Tokens", "Of the supply", "Value", "If sold now"]}
      extra={["Of the supply", "Value"]}
      first={account.holdings}
      hasMore={account.nextCursor.holdings !== null}
      all={() => client.holdings(account.address, chain())}
      keyOf={byMint}
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
      caption="Results by token, the last traded first"
      nothing="It has traded no token of this launchpad."
      columns={["Token", "Spent", "Received", "Realised", "Unrealised, if sold now", "Last trade"]}
      extra={["Spent", "Received", "Last trade"]}
      first={account.positions}
      hasMore={account.nextCursor.positions !== null}
      all={() => client.positions(account.address, chain())}
      keyOf={byMint}
      row={(position) => (
        <>
          <td>
            <Token token={position} />
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
          <td class="muted is-extra">
            <Age time={position.lastTradeAt} />
          </td>
        </>
      )}
    />
  );
}

export function Trades({ account }: Props) {
  return (
    <List
      caption="Trades, the newest first"
      nothing="It has traded nothing here."
      columns={["Token", "Side", "Amount", "Tokens", "Price", "Age"]}
      extra={["Tokens", "Price"]}
      first={account.trades}
      hasMore={account.nextCursor.trades !== null}
      all={() => client.trades({ trader: account.address, ...chain() })}
      keyOf={({ tx, logIndex }) => `${tx} ${logIndex}`}
      row={(trade) => (
        <>
          <td>
            <Token token={trade} />
          </td>
          <td class={trade.side === "buy" ? "up" : "down"}>{trade.side === "buy" ? "Buy" : "Sell"}</td>
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
      caption="Created tokens, the newest first"
      nothing="It has created no token here."
      columns={["Token", "Market cap", "Progress", "Holders", "Age"]}
      extra={["Holders", "Age"]}
      first={account.createdTokens}
      hasMore={account.nextCursor.createdTokens !== null}
      all={() => client.createdTokens(account.address, chain())}
      keyOf={byMint}
      row={(token) => (
        <>
          <td>
            <Token token={token} />
          </td>
          <td>
            <Amount bnb={token.marketCapBnb} usd={token.marketCapUsd} />
          </td>
          <td class="number">{token.graduated ? "listed" : formatPercent(token.progress)}</td>
          <td class="number is-extra">{token.holderCount}</td>
          <td class="muted is-extra">
            <Age time={token.createdAt} />
          </td>
        </>
      )}
    />
  );
}
