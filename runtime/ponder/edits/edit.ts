/** Replaces a piece of one of Ponder's files, or of a dependency's. `file` is its path under `node_modules/`. */
export type Edit = {
  file: string;
  from: string;
  to: string;
  /** How often the piece occurs in the file. Default: 1. */
  times?: number;
  /** What the new piece uses of a file of ours. */
  imports?: { names: string[]; from: URL };
};

/** Applies an edit to its file's text. Throws unless the piece occurs as often as the edit expects. */
export function applyEdit(text: string, { file, from, to, times = 1, imports }: Edit): string {
  const around = text.split(from);
  if (around.length - 1 !== times) {
    throw new Error(
      `Ponder has changed (${file}): read docs/decisions/0003-ponder-pinned.md, then bring runtime/ponder/edits/ up to date. ` +
        `Expected ${times} times, found ${around.length - 1} times: ${from}`,
    );
  }
  const edited = around.join(to);
  if (imports === undefined) return edited;
  // On the first line, so that the lines of a stack are Ponder's.
  return `import { ${imports.names.join(", ")} } from "${imports.from}"; ${edited}`;
}
