import { signal } from "@preact/signals";
import { chainId } from "../data/chain.ts";
import { api, dataOf, type StreamEvent } from "../data/client.ts";
import { currentTime } from "../data/clock.ts";
import {
  type Column,
  type ColumnName,
  columnOf,
  columns,
  compareIn,
  graduatingFrom,
  nextShown,
} from "./columns.ts";
import {
  type Filter,
  type Filters,
  isCheckedHere,
  passes,
  readFilters,
  storeFilters,
  toQuery,
} from "./filters.ts";
import { afterTrade, boardFields, type Row, withEventsOf } from "./row.ts";

export type Board = ReturnType<typeof createBoard>;

/** How many tokens a column shows. */
const maxShown = 40;
/** How many tokens a column reads first: all that a request may return if the page itself filters them. */
const pageSize = 30;
const maxPageSize = 100;

/** New tokens appear this soon after their event; a burst of them is one request. */
const newTokenDelayMs = 400;
/** Tokens that were traded are read again at most this often, for what their events don't say. */
const rereadMs = 5_000;
/** Changes are shown together, this long after the first of them. */
const arrangeDelayMs = 150;
/** The events that change what the board shows. Those of liquidity come only if they are asked for. */
export const boardKinds: StreamEvent["kind"][] = [
  "trade",
  "graduated",
  "created",
  "registered",
  "liquidity_added",
  "liquidity_removed",
];
/** The API's limit of tokens per request. */
const maxPerRequest = 100;
/** Tokens that no column shows are forgotten from this number on. */
const maxKnown = 400;

const fields = boardFields.join(",");

/** What a column shows, once it has been read. */
type Shown = { mints: readonly string[] | undefined; waiting: number };

/** The board's tokens, as they were read and as the stream changes them. */
export function createBoard() {
  const chain = chainId.peek();
  const rowsByMint = new Map<string, Row>();
  const ofEach = <Value>(create: () => Value) =>
    Object.fromEntries(columns.map(({ name }) => [name, create()])) as Record<ColumnName, Value>;
  const shown = ofEach(() => signal<Shown>({ mints: undefined, waiting: 0 }));
  const errors = ofEach(() => signal<unknown>(undefined));
  const filters = signal<Filters>(readFilters());
  /** Incremented when rows change. */
  const version = signal(0);
  const isLoaded = new Set<ColumnName>();
  const paused = new Set<ColumnName>();
  /** Tokens to read: those of which there was an event, and the block of the latest. */
  const wanted = new Set<string>();
  let newestBlock: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let arranging: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;

  /** How many readings have begun; by token, the one that its row is of, and the last one before an event changed that. */
  let readings = 0;
  const readIn = new Map<string, number>();
  const changedIn = new Map<string, number>();

  /** Notes what an event says of a token. */
  const change = (row: Row) => {
    changedIn.set(row.mint, readings);
    rowsByMint.set(row.mint, row);
  };
  const isNewest = (mint: string, reading: number) => (readIn.get(mint) ?? 0) <= reading;

  /** Takes a reading's row. A slow one replaces neither that of a later reading nor what events have said since it began. */
  const put = (row: Row, reading: number) => {
    const { mint } = row;
    if (!isNewest(mint, reading)) return;
    readIn.set(mint, reading);
    const known = rowsByMint.get(mint);
    const hasChanged = known !== undefined && (changedIn.get(mint) ?? 0) >= reading;
    rowsByMint.set(mint, hasChanged ? withEventsOf(known, row) : row);
  };

  const drop = (mint: string) => {
    for (const map of [rowsByMint, readIn, changedIn]) map.delete(mint);
  };

  const idealOf = (name: ColumnName): string[] => {
    const filter = filters.peek()[name];
    const now = currentTime();
    return [...rowsByMint.values()]
      .filter((row) => columnOf(row) === name && passes(row, filter, now))
      .sort(compareIn[name])
      .slice(0, maxShown)
      .map((row) => row.mint);
  };

  const arrange = () => {
    clearTimeout(arranging);
    arranging = undefined;
    for (const { name } of columns) {
      if (!isLoaded.has(name)) continue;
      const { mints, waiting } = shown[name].peek();
      const shownBefore = (mints ?? []).filter((mint) => rowsByMint.has(mint));
      const next = nextShown(shownBefore, idealOf(name), paused.has(name));
      const isSame = waiting === next.waiting && mints?.join() === next.mints.join();
      if (!isSame) shown[name].value = next;
    }
    forget();
    version.value++;
  };

  /** Many events may arrive at once. */
  const arrangeSoon = () => {
    arranging ??= setTimeout(arrange, arrangeDelayMs);
  };

  const forget = () => {
    if (rowsByMint.size <= maxKnown) return;
    const kept = new Set(
      columns.flatMap(({ name }) => [...(shown[name].peek().mints ?? []), ...idealOf(name)]),
    );
    for (const mint of rowsByMint.keys()) if (!kept.has(mint)) drop(mint);
  };

  async function readColumn({ name, board, sort }: Column): Promise<void> {
    const filter = filters.peek()[name];
    const reading = ++readings;
    const limit = isCheckedHere(filter) ? maxPageSize : pageSize;
    const query = { board, sort, fields, limit, chainId: chain, ...toQuery(filter) };
    try {
      const { tokens } = await dataOf(api.GET("/api/tokens", { params: { query } }));
      if (filters.peek()[name] !== filter) return;
      for (const row of tokens as unknown as Row[]) put(row, reading);
      isLoaded.add(name);
      errors[name].value = undefined;
    } catch (error) {
      if (filters.peek()[name] === filter) errors[name].value = error;
    }
    if (!isEnded) arrange();
  }

  function want(mint: string, delayMs: number, block?: number): void {
    wanted.add(mint);
    if (block !== undefined) newestBlock = Math.max(newestBlock ?? 0, block);
    const at = Date.now() + delayMs;
    if (at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(() => void readWanted(), delayMs);
  }

  async function readWanted(): Promise<void> {
    dueAt = Number.POSITIVE_INFINITY;
    const reading = ++readings;
    const mints = [...wanted].slice(0, maxPerRequest);
    const minBlock = newestBlock;
    newestBlock = undefined;
    for (const mint of mints) wanted.delete(mint);
    const query = { mint: mints.join(","), fields, chainId: chain, minBlock };
    try {
      const { tokens } = await dataOf(api.GET("/api/tokens", { params: { query } }));
      const rows = tokens as unknown as Row[];
      const gone = mints.filter((mint) => !rows.some((row) => row.mint === mint));
      for (const mint of gone) if (isNewest(mint, reading)) drop(mint);
      for (const row of rows) put(row, reading);
    } catch {
      // There may be no other event of a new token.
      for (const mint of mints) wanted.add(mint);
      if (minBlock !== undefined) newestBlock = Math.max(newestBlock ?? 0, minBlock);
    }
    if (isEnded) return;
    arrange();
    for (const mint of wanted) want(mint, rereadMs);
  }

  // What is too old for a filter leaves its column, also while nothing happens.
  const ageing = setInterval(() => {
    const isByAge = columns.some(({ name }) => filters.peek()[name].maxAgeMinutes !== undefined);
    if (isByAge && !document.hidden) arrange();
  }, 10_000);

  return {
    filters,
    version,
    column: (name: ColumnName) => shown[name],
    error: (name: ColumnName) => errors[name],
    row: (mint: string) => rowsByMint.get(mint),
    reload: () => Promise.all(columns.map(readColumn)),
    /** Reads the new tokens again: of those that were missed, there may be no other event. */
    reloadNew: () => readColumn(columns[0]),
    retry: (column: Column) => readColumn(column),
    setFilter(name: ColumnName, filter: Filter): void {
      filters.value = { ...filters.peek(), [name]: filter };
      storeFilters(filters.peek());
      errors[name].value = undefined;
      arrange();
      // Whether any token meets it, the answer says.
      if (shown[name].peek().mints?.length === 0) {
        isLoaded.delete(name);
        shown[name].value = { mints: undefined, waiting: 0 };
      }
      for (const column of columns) if (column.name === name) void readColumn(column);
    },
    /** While a column is paused, nothing moves in it. */
    pause(name: ColumnName, isPaused: boolean): void {
      if (paused.has(name) === isPaused) return;
      if (isPaused) paused.add(name);
      else paused.delete(name);
      arrange();
    },
    /** Applies an event of the stream. */
    note(event: StreamEvent): void {
      const row = rowsByMint.get(event.mint);
      if (event.removed) {
        // What a reorg has undone is read again.
        if (row !== undefined) want(event.mint, newTokenDelayMs);
        return;
      }
      // A token is listed once it is both registered and indexed, in either order.
      if (event.kind === "registered") {
        want(event.mint, newTokenDelayMs);
      } else if (event.kind === "created") {
        want(event.mint, newTokenDelayMs, event.block);
      } else if (event.kind === "graduated") {
        const { graduatedAt } = event;
        if (row !== undefined) change({ ...row, graduated: true, graduatedAt, progress: 100 });
        want(event.mint, newTokenDelayMs, event.block);
      } else if (event.kind === "trade" && row !== undefined) {
        change(afterTrade(row, event));
        want(event.mint, rereadMs, event.block);
      } else if (
        event.kind === "trade"
          ? event.venue === "curve" && (event.progress ?? 0) >= graduatingFrom
          : row !== undefined
      ) {
        // A token that is about to graduate, or the liquidity of one that is shown.
        want(event.mint, newTokenDelayMs, event.block);
      }
      arrangeSoon();
    },
    end(): void {
      isEnded = true;
      clearTimeout(timer);
      clearTimeout(arranging);
      clearInterval(ageing);
    },
  };
}
