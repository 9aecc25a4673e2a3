/** Replaces a piece of one of Ponder's files, or of a dependency's. `file` is its path under `node_modules/`. */
export type Edit = {
  file: string;
  from: string;
  to: string;
  /** How often the piece occurs in the file. Default: 1. */
  times?: number;
};

/** Applies an edit to its file's text. Throws unless the piece occurs as often as the edit expects. */
export function applyEdit(text: string, { file, from, to, times = 1 }: Edit): string {
  const around = text.split(from);
  if (around.length - 1 !== times) {
    throw new Error(
      `Ponder has changed (${file}): read docs/decisions/0003-ponder-pinned.md, then bring runtime/ponder/edits/ up to date. ` +
        `Expected ${times} times, found ${around.length - 1} times: ${from}`,
    );
  }
  return around.join(to);
}
