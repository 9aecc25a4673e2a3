/** Replaces a piece of a file of Ponder's, or of one that Ponder uses, by its path under `node_modules/`. */
export type Edit = { file: string; from: string; to: string };

/** Makes an edit in the text of its file. Throws unless the piece is in it exactly once. */
export function applied(text: string, { file, from, to }: Edit): string {
  const around = text.split(from);
  if (around.length !== 2) {
    throw new Error(
      `Ponder has changed (${file}): read docs/decisions/0003-ponder-pinned.md, then bring runtime/ponder/edits/ up to date. ` +
        `Expected once, found ${around.length - 1} times: ${from}`,
    );
  }
  return around.join(to);
}
