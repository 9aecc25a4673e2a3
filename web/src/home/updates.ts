import { signal } from "@preact/signals";
import type { StreamEvent } from "../data/client.ts";
import { currentTime } from "../data/clock.ts";
import type { TokenList } from "./token-list.ts";

/** The events that change what the list shows. Those of liquidity come only if they are asked for. */
export const listKinds: StreamEvent["kind"][] = [
  "created",
  "trade",
  "graduated",
  "registered",
  "liquidity_added",
  "liquidity_removed",
];

/** The range of entries in view. They are reloaded when events change them. */
export const inView = { list: undefined as TokenList | undefined, first: 0, last: 30 };

/** The number of tokens registered since the list was read. */
export const newTokenCount = signal(0);

/** Those tokens, and since when, by the device's clock. */
const newTokens = new Set<string>();
let countedSince = Date.now();

/** How much earlier than that a token may have been registered, as clocks and answers go. */
const toleranceMs = 60_000;

/** Whether an event is of a new token. Registrations come again whenever their creator changes them, as often as they like. */
function isNew(event: Extract<StreamEvent, { kind: "registered" }>): boolean {
  const age = currentTime() - Date.parse(event.registeredAt);
  return !event.removed && age < Date.now() - countedSince + toleranceMs;
}

/** Counts new tokens from here on. */
export function resetNewTokens(): void {
  newTokens.clear();
  countedSince = Date.now();
  newTokenCount.value = 0;
}

/** Changed tokens are read at most this often. */
const minIntervalMs = 2_000;

/** The API's limit of tokens per request. */
const maxPerRequest = 100;

/** The tokens that have changed since they were read. Those out of view are read once they are in it. */
const changed = new Set<string>();
let newestBlock: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let lastRead = 0;

/** Records an event. The tokens in view that changed are read again soon, with one request. */
export function noteEvent(event: StreamEvent): void {
  if (event.kind === "registered" && isNew(event) && inView.list?.has(event.mint) === false) {
    newTokens.add(event.mint);
    newTokenCount.value = newTokens.size;
  }
  if (inView.list?.has(event.mint) !== true) return;
  changed.add(event.mint);
  if ("block" in event && !event.removed) newestBlock = Math.max(newestBlock ?? 0, event.block);
  readSoon();
}

/** Notes which entries are in view. */
export function noteRange(list: TokenList, first: number, last: number): void {
  Object.assign(inView, { list, first, last });
  readSoon();
}

function changedInView(): string[] {
  const { list, first, last } = inView;
  const mints = Array.from({ length: last - first }, (_, at) => list?.row(first + at)?.mint ?? "");
  return mints.filter((mint) => changed.has(mint)).slice(0, maxPerRequest);
}

function readSoon(): void {
  if (timer !== undefined || changedInView().length === 0) return;
  timer = setTimeout(read, Math.max(0, lastRead + minIntervalMs - Date.now()));
}

async function read(): Promise<void> {
  lastRead = Date.now();
  const { list } = inView;
  const mints = changedInView();
  for (const mint of mints) changed.delete(mint);
  const block = newestBlock;
  newestBlock = undefined;
  const isAnyRemoved = await list?.refresh(mints, block).catch(() => undefined);
  if (isAnyRemoved) await reload();
  timer = undefined;
  readSoon();
  // After a failure, the next event reads these tokens too.
  if (list !== undefined && isAnyRemoved === undefined) {
    for (const mint of mints) changed.add(mint);
    if (block !== undefined) newestBlock = Math.max(newestBlock ?? 0, block);
  }
}

/** Reads the view again, with new tokens and in the current order. */
export async function reloadView(): Promise<void> {
  resetNewTokens();
  await reload();
}

async function reload(): Promise<void> {
  const { list, first, last } = inView;
  await list?.reload(first, last);
  // Whoever has scrolled on meanwhile sees entries that were dropped.
  if (inView.list === list) void list?.ensure(inView.first, inView.last);
}
