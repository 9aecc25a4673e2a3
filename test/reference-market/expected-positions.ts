import type { Address } from "viem";
import type { ChainEvent } from "./chain-events.ts";
import type { ObservedLiquidity } from "./expected-liquidity.ts";
import type { ObservedTransfer } from "./expected-transfers.ts";
import type { FollowedTokens } from "./followed-tokens.ts";
import { sum } from "./groups.ts";
import { type Market, type ObservedTrade, positionOf } from "./observed-trades.ts";
import { inUsd } from "./prices.ts";
import type { ExpectedRow } from "./row-differences.ts";

/** An account's position in a token. Base units and wei. */
export type ExpectedPosition = {
  token: Address;
  account: Address;
  trades: ObservedTrade[];
  openTokens: bigint;
  receivedTokens: bigint;
  sentTokens: bigint;
  /** USD with 18 decimals; undefined if the cost of something is unknown. */
  usd: Result | undefined;
  /** What each sell realised, by the trade's id. */
  results: Map<string, { realised: bigint; realisedUsd: bigint | null }>;
  /** When tokens last moved, in seconds. */
  changedAt: bigint;
} & Result;

type Result = Costs & { realised: bigint };

/** What an account spent, and what the tokens cost that it received, sent and has. */
type Costs = { spent: bigint; received: bigint; receivedCost: bigint; sentCost: bigint; openCost: bigint };

type Book = Pick<
  ExpectedPosition,
  "token" | "account" | "trades" | "openTokens" | "receivedTokens" | "sentTokens" | "results" | "changedAt"
> & { wei: Costs; usd: Costs | undefined };

type PositionsSource = {
  market: Market;
  liquidity: ObservedLiquidity[];
  transfers: ObservedTransfer[];
  followed: FollowedTokens;
  launchpad: Address;
};

/** Something that moves an account's tokens, at a place in the chain. */
type Step = { at: string; timestamp: bigint; token: Address } & (
  | { trade: ObservedTrade; amount: bigint }
  | { trade?: undefined; from: Address; to: Address; amount: bigint; rate: bigint | null }
);

const burnAddresses = [`0x${"0".repeat(40)}`, "0x000000000000000000000000000000000000dead"];

/** Computes all positions by replaying every trade, change of liquidity and transfer of each token. */
export function replayPositions(source: PositionsSource): ExpectedPosition[] {
  const { market, launchpad } = source;
  const books = new Map<string, Book>();
  const bookOf = ({ token, timestamp }: Step, account: Address): Book => {
    const key = `${token} ${account}`;
    const book = books.get(key) ?? emptyBook(token, account);
    book.changedAt = timestamp;
    books.set(key, book);
    return book;
  };
  const isAccount = (address: Address, { token, at }: Step) => {
    const graduation = market.curves.get(token)?.graduation;
    const isPair = graduation?.pair === address && graduation.id < at;
    return address !== launchpad && !isPair && !burnAddresses.includes(address);
  };
  for (const step of stepsOf(source)) {
    if (step.trade !== undefined) {
      applyTrade(bookOf(step, step.trade.trader), step.trade, step.amount);
      continue;
    }
    const { from, to, amount, rate } = step;
    if (amount === 0n || from === to) continue;
    const cost = isAccount(from, step) ? send(bookOf(step, from), amount) : { wei: 0n, usd: 0n };
    const usd = cost.usd ?? inUsd(cost.wei, rate) ?? (cost.wei === 0n ? 0n : undefined);
    if (isAccount(to, step)) receive(bookOf(step, to), amount, cost.wei, usd);
  }
  return [...books.values()].map(({ wei, usd, ...book }) => ({
    ...book,
    ...withResult(wei),
    usd: usd && withResult(usd),
  }));
}

/** Returns everything that moves tokens, in the order in which it counts. */
function stepsOf({ market, liquidity, transfers, followed }: PositionsSource): Step[] {
  const movedAt = new Map([...followed.moved].map(([deal, amount]) => [positionOf(deal), amount]));
  const rateAt = (event: ChainEvent) =>
    market.answers.findLast((answer) => positionOf(answer) < positionOf(event))?.args.current ?? null;
  const trades = market.trades.map((trade): Step => {
    const { id: at, token, timestamp } = trade;
    return { at, timestamp, token, trade, amount: movedAt.get(at) ?? 0n };
  });
  const changes = liquidity.map(({ event, token, pair, tokenAccount, isAdded }): Step => {
    const [from, to] = isAdded ? [tokenAccount, pair] : [pair, tokenAccount];
    const at = positionOf(event);
    const { timestamp } = event;
    return { at, timestamp, token, from, to, amount: movedAt.get(at) ?? 0n, rate: rateAt(event) };
  });
  const gains = Map.groupBy(followed.gains, ([{ tx }]) => tx);
  const others = transfers.map(({ event, amount }): Step => {
    const { from, to } = event.args;
    // What a market gave away may be moved on before the event that says what was paid for it.
    const later = (gains.get(event.tx) ?? [])
      .filter(
        ([deal, own]) =>
          own.emitter === event.emitter && own.logIndex < event.logIndex && event.logIndex < deal.logIndex,
      )
      .map(([deal]) => positionOf(deal));
    const own = positionOf(event);
    const at = later.length === 0 ? own : `${later.sort().at(-1)} after ${own}`;
    const { timestamp } = event;
    return { at, timestamp, token: event.emitter, from, to, amount, rate: rateAt(event) };
  });
  return [...trades, ...changes, ...others].sort((left, right) => (left.at < right.at ? -1 : 1));
}

const nothing: Costs = { spent: 0n, received: 0n, receivedCost: 0n, sentCost: 0n, openCost: 0n };

function emptyBook(token: Address, account: Address): Book {
  const tokens = { openTokens: 0n, receivedTokens: 0n, sentTokens: 0n };
  const empty = { trades: [], results: new Map(), changedAt: 0n, wei: nothing, usd: nothing };
  return { token, account, ...tokens, ...empty };
}

/** Everything spent, and the cost of everything received, is still open, was sent, or is set off against the proceeds of sales. */
function withResult(costs: Costs): Result {
  const { spent, received, receivedCost, sentCost, openCost } = costs;
  return { ...costs, realised: received - (spent + receivedCost - sentCost - openCost) };
}

function applyTrade(book: Book, trade: ObservedTrade, moved: bigint): void {
  const { isBuy, bnb, volumeUsd } = trade;
  const before = { ...book };
  const apply = (costs: Costs, paid: bigint): Costs => {
    if (isBuy) return { ...costs, spent: costs.spent + paid, openCost: costs.openCost + paid };
    const openCost = costs.openCost - costOf(book.openTokens, costs.openCost, moved);
    return { ...costs, received: costs.received + paid, openCost };
  };
  book.trades.push(trade);
  book.wei = apply(book.wei, bnb);
  book.usd = book.usd === undefined || volumeUsd === null ? undefined : apply(book.usd, volumeUsd);
  book.openTokens += isBuy ? moved : -moved;
  if (isBuy) return;
  const gain = (now: Costs, earlier: Costs) => withResult(now).realised - withResult(earlier).realised;
  book.results.set(trade.id, {
    realised: gain(book.wei, before.wei),
    realisedUsd: book.usd && before.usd ? gain(book.usd, before.usd) : null,
  });
}

/** Returns what the sent tokens cost. */
function send(book: Book, amount: bigint): { wei: bigint; usd: bigint | undefined } {
  const wei = costOf(book.openTokens, book.wei.openCost, amount);
  const usd = book.usd && costOf(book.openTokens, book.usd.openCost, amount);
  const without = (costs: Costs, cost: bigint): Costs => {
    return { ...costs, sentCost: costs.sentCost + cost, openCost: costs.openCost - cost };
  };
  book.sentTokens += amount;
  book.openTokens -= amount;
  book.wei = without(book.wei, wei);
  book.usd = book.usd && without(book.usd, usd ?? 0n);
  return { wei, usd };
}

function receive(book: Book, amount: bigint, wei: bigint, usd: bigint | undefined): void {
  const withCost = (costs: Costs, cost: bigint): Costs => {
    return { ...costs, receivedCost: costs.receivedCost + cost, openCost: costs.openCost + cost };
  };
  book.receivedTokens += amount;
  book.openTokens += amount;
  book.wei = withCost(book.wei, wei);
  book.usd = book.usd === undefined || usd === undefined ? undefined : withCost(book.usd, usd);
}

/** The average cost of some of the open tokens, or of all for more. What the others cost is rounded up. */
function costOf(openTokens: bigint, openCost: bigint, amount: bigint): bigint {
  if (openTokens <= 0n || amount <= 0n) return 0n;
  const kept = amount >= openTokens ? 0n : openTokens - amount;
  return openCost - (openCost * kept + openTokens - 1n) / openTokens;
}

export function positionRow({ token, account, trades, usd, ...result }: ExpectedPosition): ExpectedRow {
  const buys = trades.filter(({ isBuy }) => isBuy);
  const sells = trades.filter(({ isBuy }) => !isBuy);
  return {
    token,
    account,
    buys: buys.length,
    sells: sells.length,
    tokens_bought_raw: sum(buys.map(({ tokens }) => tokens)),
    tokens_sold_raw: sum(sells.map(({ tokens }) => tokens)),
    bnb_spent_wei: sum(buys.map(({ bnb }) => bnb)),
    bnb_received_wei: sum(sells.map(({ bnb }) => bnb)),
    received_raw: result.receivedTokens,
    received_cost_wei: result.receivedCost,
    sent_raw: result.sentTokens,
    sent_cost_wei: result.sentCost,
    open_tokens_raw: result.openTokens,
    open_cost_wei: result.openCost,
    realised_wei: result.realised,
    spent_usd_x18: usd?.spent ?? null,
    received_usd_x18: usd?.received ?? null,
    open_cost_usd_x18: usd?.openCost ?? null,
    realised_usd_x18: usd?.realised ?? null,
    first_trade_at: trades[0]?.timestamp ?? null,
    last_trade_at: trades.at(-1)?.timestamp ?? null,
    changed_at: result.changedAt,
  };
}
