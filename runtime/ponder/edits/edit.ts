/** Replaces a piece of a file of Ponder's, or of one that Ponder uses, by its path under `node_modules/`. */
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
