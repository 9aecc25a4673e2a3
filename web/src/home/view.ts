import { computed } from "@preact/signals";
import { navigate, url, withParameters } from "../routing/router.ts";

/** The filters and the order of the token list. All of them are stored in the address. */

export const boards = ["all", "new", "graduating", "listed", "watchlist"] as const;

export const sorts = [
  "trending",
  "newest",
  "volume",
  "trades",
  "marketcap",
  "gainers",
  "losers",
  "progress",
  "graduated",
  "holders",
  "burn",
] as const;

export const windows = ["1h", "6h", "24h"] as const;

type Board = (typeof boards)[number];
type Sort = (typeof sorts)[number];
export type Window = (typeof windows)[number];
export type View = { board: Board; sort: Sort; window: Window; q: string; verified: boolean };

const oneOf = <Value extends string>(choices: readonly Value[], text: string | null) =>
  choices.find((choice) => choice === text);

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
