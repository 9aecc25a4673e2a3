/** Replaces a piece of one of Ponder's files, by its path under `ponder/dist/esm/`. */
export type Edit = {
  file: string;
  from: string;
  to: string;
  /** How often the piece is in it. Default 1. */
  times?: number;
};

/** Makes an edit in the text of its file. Throws unless the piece is in it as often as the edit says. */
export function applied(text: string, { file, from, to, times = 1 }: Edit): string {
  const around = text.split(from);
  if (around.length - 1 !== times) {
    throw new Error(
      `Ponder has changed (${file}): read docs/decisions/0003-ponder-pinned.md, then bring runtime/ponder/edits/ up to date. ` +
        `Expected ${times} times, found ${around.length - 1} times: ${from}`,
    );
  }
  return around.join(to);
}
