import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { chainId } from "../data/chain.ts";
import { client, type StreamEvent } from "../data/client.ts";
import { cacheTokenImage, getTokenImage } from "../data/token-images.ts";
import { fromUnits } from "../format/number.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { AccountLink } from "../parts/links.tsx";
import { Age } from "../parts/time.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { tokenPath, withChain } from "../routing/router.ts";

type FeedItem = { id: string; at: string; event: StreamEvent };

/** As many as fit beside the list. By the screen: to know the window's height, the browser would have to lay out the page at once. */
const maxItems = Math.min(60, Math.max(12, Math.ceil(screen.height / 36)));

/** The latest events, newest first. */
const items = signal<FeedItem[]>([]);

/** Adds an event, or removes one that a reorg has undone. Events of hidden tokens are not shown, and neither are changes of liquidity. */
export function feedEvent(event: StreamEvent): void {
  if (isHidden(event) || event.kind.startsWith("liquidity")) return;
  if (event.kind === "registered") cacheTokenImage(event.mint, event.imageUrl);
  const id = identityOf(event);
  const others = items.value.filter((item) => item.id !== id);
  items.value = event.removed ? others : withItem(others, { id, at: timeOf(event), event });
}

/** The feed with one more item, at its time: events of several blocks may arrive out of order, and after a reconnection late. */
function withItem(shown: FeedItem[], item: FeedItem): FeedItem[] {
  const later = shown.filter(({ at }) => Date.parse(at) > Date.parse(item.at));
  return [...later, item, ...shown.slice(later.length)].slice(0, maxItems);
}

const isHidden = (event: StreamEvent) => "hidden" in event && event.hidden === true;

const identityOf = (event: StreamEvent) =>
  event.kind === "trade" ? `trade ${event.tx} ${event.logIndex}` : `${event.kind} ${event.mint}`;

function timeOf(event: StreamEvent): string {
  switch (event.kind) {
    case "created":
      return event.createdAt;
    case "graduated":
      return event.graduatedAt;
    case "registered":
      return event.registeredAt ?? new Date().toISOString();
    default:
      return event.timestamp;
  }
}

/** The latest events on the whole launchpad. */
export function Feed() {
  useEffect(() => {
    // Also of those who were on another page meanwhile. After a failure, the stream will fill the feed.
    void loadLatestTrades().catch(ignoreFailure);
  }, []);
  return (
    <section class="panel feed" aria-labelledby="feed-title">
      <h2 id="feed-title">{t.home.feed}</h2>
      {items.value.length === 0 ? (
        <p class="muted">{t.home.feedEmpty}</p>
      ) : (
        <ul>
          {items.value.map((item, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines stay in place and change their text, which shifts no layout
            <Line key={place} {...item} />
          ))}
        </ul>
      )}
    </section>
  );
}

const ignoreFailure = () => {};

/** Fills the feed with the latest trades until events arrive. */
async function loadLatestTrades(): Promise<void> {
  const trades = client.trades({ limit: maxItems, chainId: chainId.peek() });
  const latest: FeedItem[] = [];
  for (let at = 0; at < maxItems; at++) {
    const { value: trade } = await trades.next();
    if (trade === undefined) break;
    const event = {
      ...trade,
      kind: "trade",
      cursor: "",
      removed: false,
      progress: null,
      creator: null,
    } as StreamEvent;
    const id = identityOf(event);
    if (!isHidden(event)) latest.push({ id, at: trade.timestamp, event });
  }
  // The oldest first, so that of one second's trades the last one is on top.
  for (const item of latest.reverse()) {
    const isKnown = items.value.some(({ id }) => id === item.id);
    if (!isKnown) items.value = withItem(items.value, item);
  }
}

function Line({ event, at }: FeedItem) {
  const image = { mint: event.mint, symbol: event.symbol ?? "", imageUrl: getTokenImage(event.mint) };
  return (
    <li>
      <TokenImage token={image} size={24} />
      <span class="feed-text">
        <EventText event={event} />
      </span>
      <span class="muted number">
        <Age time={at} />
      </span>
    </li>
  );
}

const muted = (children: ComponentChildren) => <span class="muted">{children}</span>;

function EventText({ event }: { event: StreamEvent }): ComponentChildren {
  const token = (
    <a href={withChain(tokenPath(event.mint))} title={displayName(event.name ?? "")}>
      <bdi>{displaySymbol(event.symbol ?? "")}</bdi>
    </a>
  );
  switch (event.kind) {
    case "trade":
      return t.home.events.trade(
        token,
        <span class={event.side === "buy" ? "up" : "down"}>
          {event.side === "buy" ? t.home.bought : t.home.soldVerb}
        </span>,
        <Amount bnb={fromUnits(event.bnbAmountWei)} usd={event.amountUsd} digits={3} />,
        <AccountLink address={event.trader} />,
        muted,
      );
    case "created":
      return t.home.events.created(token, <AccountLink address={event.creator} />, muted);
    case "registered":
      return t.home.events.registered(token);
    case "graduated":
      return t.home.events.graduated(token, (text) => <strong class="accent">{text}</strong>);
  }
}
