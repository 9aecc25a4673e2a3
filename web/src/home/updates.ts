import { signal } from "@preact/signals";
import type { StreamEvent } from "../data/client.ts";
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

/** Changed tokens are read at most this often. */
const minIntervalMs = 2_000;

const changed = new Set<string>();
let newestBlock: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let lastRead = 0;

/** Records an event. The tokens in view that changed are read again soon, with one request. */
export function noteEvent(event: StreamEvent): void {
  if (event.kind === "registered" && !event.removed && inView.list?.has(event.mint) === false)
    newTokenCount.value++;
  if (inView.list?.has(event.mint) !== true) return;
  changed.add(event.mint);
  if ("block" in event && !event.removed) newestBlock = Math.max(newestBlock ?? 0, event.block);
  if (timer === undefined) timer = setTimeout(read, Math.max(0, lastRead + minIntervalMs - Date.now()));
}

async function read(): Promise<void> {
  lastRead = Date.now();
  const { list, first, last } = inView;
  const mints = [...changed];
  changed.clear();
  const seen = new Set(Array.from({ length: last - first }, (_, at) => list?.row(first + at)?.mint));
  const block = newestBlock;
  newestBlock = undefined;
  const isAnyRemoved = await list
    ?.refresh(
      mints.filter((mint) => seen.has(mint)),
      block,
    )
    .catch(() => undefined);
  if (isAnyRemoved) await reload();
  timer = undefined;
  if (changed.size > 0) timer = setTimeout(read, minIntervalMs);
  // After a failure, the next event reads these tokens too.
  if (list !== undefined && isAnyRemoved === undefined) {
    for (const mint of mints) changed.add(mint);
    if (block !== undefined) newestBlock = Math.max(newestBlock ?? 0, block);
  }
}

/** Reads the view again, with new tokens and in the current order. */
export async function reloadView(): Promise<void> {
  newTokenCount.value = 0;
  await reload();
}

async function reload(): Promise<void> {
  const { list, first, last } = inView;
  await list?.reload(first, last);
  // Whoever has scrolled on meanwhile sees entries that were dropped.
  if (inView.list === list) void list?.ensure(inView.first, inView.last);
}
