/** Replaces a piece of one of Ponder's files, or of a dependency's. `file` is its path under `node_modules/`. */
export type Edit = {
  file: string;
  from: string;
  to: string;
  /** What the new piece uses of our files, by their paths in `runtime/ponder/`. */
  imports?: Record<string, string[]>;
};

/** Applies an edit to its file's text. Throws unless the piece is there exactly once. */
export function applyEdit(text: string, { file, from, to, imports = {} }: Edit): string {
  const around = text.split(from);
  if (around.length !== 2) {
    throw new Error(
      `Ponder has changed (${file}): read docs/decisions/0003-ponder-pinned.md, then bring runtime/ponder/edits/ up to date. ` +
        `Expected once, found ${around.length - 1} times: ${from}`,
    );
  }
  // On the first line, so that the lines of a stack are Ponder's.
  const lines = Object.entries(imports).map(
    ([name, names]) => `import { ${names.join(", ")} } from "${new URL(`../${name}`, import.meta.url)}"; `,
  );
  return lines.join("") + around.join(to);
}
