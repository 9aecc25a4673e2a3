/** The boards of the list. Every token is on "all" and on exactly one of the others. */
export const boards = ["all", "new", "graduating", "listed"] as const;
export type Board = (typeof boards)[number];

/** Percent of progress from which a token that has not graduated counts as graduating. */
const graduatingProgress = 80;

export function boardOf({
  graduated,
  progress,
}: {
  graduated: boolean;
  progress: number;
}): Exclude<Board, "all"> {
  if (graduated) return "listed";
  return progress >= graduatingProgress ? "graduating" : "new";
}
