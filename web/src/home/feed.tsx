import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { chainId } from "../data/chain.ts";
import { client, type StreamEvent } from "../data/client.ts";
import { imageOf, noteImage } from "../data/token-images.ts";
import { fromUnits } from "../format/number.ts";
import { displayName, displaySymbol } from "../format/text.ts";
import { AccountLink } from "../parts/address.tsx";
import { Amount } from "../parts/amount.tsx";
import { Age } from "../parts/time.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { tokenPath } from "../routing/routes.ts";
import { withChain } from "../routing/with-chain.ts";

type Happening = { id: string; at: string; event: StreamEvent };

const longest = 30;
const atFirst = 12;

/** What happened last, the newest first. */
const happenings = signal<Happening[]>([]);
const hasBegun = signal(false);

/** Adds an event, or takes out what a reorg took back. What happens to a hidden token is not told. */
export function feedEvent(event: StreamEvent): void {
  if (isHidden(event)) return;
  if (event.kind === "registered") noteImage(event.mint, event.imageUrl);
  const id = identityOf(event);
  const others = happenings.value.filter((known) => known.id !== id);
  const next = event.removed ? others : [{ id, at: timeOf(event), event }, ...others];
  happenings.value = next.slice(0, longest);
}

const isHidden = (event: StreamEvent) => "hidden" in event && event.hidden === true;

const identityOf = (event: StreamEvent) =>
  event.kind === "trade" ? `trade ${event.tx} ${event.logIndex}` : `${event.kind} ${event.mint}`;

function timeOf(event: StreamEvent): string {
  switch (event.kind) {
    case "trade":
      return event.timestamp;
    case "created":
      return event.createdAt;
    case "graduated":
      return event.graduatedAt;
    case "registered":
      return event.registeredAt ?? new Date().toISOString();
  }
}

/** What just happened, on the whole launchpad. */
export function Feed() {
  useEffect(() => {
    if (hasBegun.value) return;
    hasBegun.value = true;
    void begin().catch(() => {
      // The stream fills it.
      hasBegun.value = false;
    });
  }, []);
  return (
    <section class="panel feed" aria-labelledby="feed-title">
      <h2 id="feed-title">Just happened</h2>
      {happenings.value.length === 0 ? (
        <p class="muted">Trades, new tokens and graduations appear here as they happen.</p>
      ) : (
        <ul>
          {happenings.value.map((happening) => (
            <Line key={happening.id} {...happening} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** The last trades, before the first event comes. */
async function begin(): Promise<void> {
  const trades = client.trades({ limit: atFirst, chainId: chainId.peek() });
  for (let at = 0; at < atFirst; at++) {
    const { value: trade } = await trades.next();
    if (trade === undefined) return;
    const event = { ...trade, kind: "trade", removed: false, progress: null, creator: null } as StreamEvent;
    const id = identityOf(event);
    if (isHidden(event)) continue;
    if (happenings.value.some((known) => known.id === id)) continue;
    happenings.value = [...happenings.value, { id, at: trade.timestamp, event }].slice(0, longest);
  }
}

function Line({ event, at }: Happening) {
  const image = { mint: event.mint, symbol: event.symbol ?? "", imageUrl: imageOf(event.mint) };
  return (
    <li>
      <TokenImage token={image} size={24} />
      <span class="feed-text">
        <Deed event={event} />
      </span>
      <span class="muted number">
        <Age time={at} />
      </span>
    </li>
  );
}

function Deed({ event }: { event: StreamEvent }) {
  const token = (
    <a href={withChain(tokenPath(event.mint))} title={displayName(event.name ?? "")}>
      <bdi>{displaySymbol(event.symbol ?? "")}</bdi>
    </a>
  );
  switch (event.kind) {
    case "trade":
      return (
        <>
          <AccountLink address={event.trader} />{" "}
          <span class={event.side === "buy" ? "up" : "down"}>{event.side === "buy" ? "bought" : "sold"}</span>{" "}
          <Amount bnb={fromUnits(event.bnbAmountWei)} usd={event.amountUsd} digits={3} /> of {token}
        </>
      );
    case "created":
      return (
        <>
          <AccountLink address={event.creator} /> created {token}
        </>
      );
    case "registered":
      return <>{token} entered the list</>;
    case "graduated":
      return (
        <>
          {token} <strong class="accent">graduated</strong> to the DEX
        </>
      );
  }
}
