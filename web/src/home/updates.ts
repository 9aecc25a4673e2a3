import { signal } from "@preact/signals";
import type { StreamEvent } from "../data/client.ts";
import { inView } from "./list.tsx";

/** Tokens that came since the list was read. */
export const news = signal(0);

/** Milliseconds between two readings of what changed. */
const pace = 2_000;

const changed = new Set<string>();
let newestBlock: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let lastRead = 0;

/** Notes an event: the tokens in view that it changed are read again soon, all at once. */
export function noteEvent(event: StreamEvent): void {
  if (event.kind === "registered" && !event.removed && inView.list?.has(event.mint) === false) news.value++;
  if (inView.list?.has(event.mint) !== true) return;
  changed.add(event.mint);
  if ("block" in event && !event.removed) newestBlock = Math.max(newestBlock ?? 0, event.block);
  if (timer === undefined) timer = setTimeout(read, Math.max(0, lastRead + pace - Date.now()));
}

async function read(): Promise<void> {
  lastRead = Date.now();
  const { list, first, last } = inView;
  const mints = [...changed];
  changed.clear();
  const seen = new Set(Array.from({ length: last - first }, (_, at) => list?.row(first + at)?.mint));
  const block = newestBlock;
  newestBlock = undefined;
  // What can't be read now is read with the next event.
  const isOneGone = await list
    ?.refresh(
      mints.filter((mint) => seen.has(mint)),
      block,
    )
    .catch(() => false);
  if (isOneGone) await list?.reload(first, last);
  timer = undefined;
  if (changed.size > 0) timer = setTimeout(read, pace);
}

/** Reads the view again: with what is new, in the order of now. */
export async function reloadView(): Promise<void> {
  news.value = 0;
  await inView.list?.reload(inView.first, inView.last);
}
