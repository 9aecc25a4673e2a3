import { computed } from "@preact/signals";
import { t } from "../language/messages.ts";
import { navigate, url, withParameters } from "../routing/router.ts";

/** The filters and the order of the token list. All of them are stored in the address. */

export const boards = [
  { value: "all", label: t.home.boards.all },
  { value: "new", label: t.home.boards.new },
  { value: "graduating", label: t.home.boards.graduating },
  { value: "listed", label: t.home.boards.listed },
  { value: "watchlist", label: t.home.boards.watchlist },
] as const;

export const sorts = [
  { value: "trending", label: t.home.sorts.trending },
  { value: "newest", label: t.home.sorts.newest },
  { value: "volume", label: t.home.sorts.volume },
  { value: "trades", label: t.home.sorts.trades },
  { value: "marketcap", label: t.home.sorts.marketcap },
  { value: "gainers", label: t.home.sorts.gainers },
  { value: "losers", label: t.home.sorts.losers },
  { value: "progress", label: t.home.sorts.progress },
  { value: "holders", label: t.home.sorts.holders },
  { value: "burn", label: t.home.sorts.burn },
] as const;

export const windows = [
  { value: "1h", label: t.home.windows["1h"] },
  { value: "6h", label: t.home.windows["6h"] },
  { value: "24h", label: t.home.windows["24h"] },
] as const;

type Board = (typeof boards)[number]["value"];
type Sort = (typeof sorts)[number]["value"];
export type Window = (typeof windows)[number]["value"];
export type View = { board: Board; sort: Sort; window: Window; q: string; verified: boolean };

const oneOf = <Value extends string>(choices: readonly { value: Value }[], text: string | null) =>
  choices.find(({ value }) => value === text)?.value;

/** The order of a view whose address has none. Search results are ordered by market cap, which puts the most likely match first. */
function usualSort(board: Board, q: string): Sort {
  if (q !== "") return "marketcap";
  return board === "new" ? "newest" : "trending";
}

export const view = computed<View>(() => {
  const { searchParams } = url.value;
  const q = searchParams.get("q")?.trim().slice(0, 100) ?? "";
  const board = oneOf(boards, searchParams.get("board")) ?? "all";
  return {
    board,
    sort: oneOf(sorts, searchParams.get("sort")) ?? usualSort(board, q),
    window: oneOf(windows, searchParams.get("window")) ?? "24h",
    q,
    verified: searchParams.get("verified") === "true",
  };
});

/** Changes the view, as a new entry in the browser's history. */
export function show(changes: Partial<Record<"board" | "sort" | "window" | "verified", string | undefined>>) {
  const next = withParameters(changes);
  if (next.searchParams.get("board") === "all") next.searchParams.delete("board");
  navigate(next);
}

/** Leaves the search and shows all tokens. */
export const clearSearch = () => navigate(withParameters({ q: undefined }));
