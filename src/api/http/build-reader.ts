import { stat } from "node:fs/promises";

/**
 * The returned function reads what a build has written, again after each build; it resolves to undefined if there is no build.
 *
 * @param file is written last by each build
 */
export function createBuildReader<Built>(
  file: string,
  read: (file: string) => Promise<Built>,
): () => Promise<Built | undefined> {
  let known: { builtAt: number; built: Promise<Built> } | undefined;
  return async () => {
    const builtAt = (await stat(file).catch(() => undefined))?.mtimeMs;
    if (builtAt === undefined) return undefined;
    if (known?.builtAt !== builtAt) known = { builtAt, built: read(file) };
    return known.built.catch(() => {
      // A build is in progress.
      known = undefined;
      return undefined;
    });
  };
}
