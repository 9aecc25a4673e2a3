import type { Row } from "./row.ts";

/** The board's columns. A token is in one of them at a time, as on the API's boards. */
export const columns = [
  { name: "new", board: "new", sort: "newest" },
  { name: "graduating", board: "graduating", sort: "progress" },
  { name: "graduated", board: "listed", sort: "graduated" },
] as const;

export type Column = (typeof columns)[number];
export type ColumnName = Column["name"];

/** Progress from which a token counts as graduating, in percent, as on the API's boards. */
export const graduatingFrom = 80;

export function columnOf({ graduated, progress }: Pick<Row, "graduated" | "progress">): ColumnName {
  if (graduated) return "graduated";
  return progress >= graduatingFrom ? "graduating" : "new";
}

const timeOf = (time: string | null) => Date.parse(time ?? "") || 0;

/** The order of a column: about to graduate first, or else the latest first. */
export const compareIn: Record<ColumnName, (one: Row, other: Row) => number> = {
  new: (one, other) => timeOf(other.createdAt) - timeOf(one.createdAt),
  graduating: (one, other) => other.progress - one.progress,
  graduated: (one, other) => timeOf(other.graduatedAt) - timeOf(one.graduatedAt),
};

/**
 * What a column shows next. A paused one keeps its order and its cards, even of tokens that have left it, and says how many others
 * wait. One without cards has none that could move, and fills.
 *
 * @param shown the mints that it shows
 * @param ideal the mints that it would show if it were not paused
 */
export function nextShown(
  shown: readonly string[],
  ideal: readonly string[],
  isPaused: boolean,
): { mints: readonly string[]; waiting: number } {
  if (!isPaused || shown.length === 0) return { mints: ideal, waiting: 0 };
  const visible = new Set(shown);
  return { mints: shown, waiting: ideal.filter((mint) => !visible.has(mint)).length };
}
