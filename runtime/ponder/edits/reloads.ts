import type { Edit } from "./edit.ts";

/** Lets a reload in development finish before a further edit invalidates parts of it. */
export const reloads: Edit[] = [
  // An edit during a reload left functions registered twice, or not at all, and the build failed until the next edit.
  {
    file: "ponder/dist/esm/build/index.js",
    from: 'viteDevServer.watcher.on("change", onFileChange);',
    to: `let executing;
            for (const name of ["executeConfig", "executeSchema", "executeIndexingFunctions", "executeApi"]) {
                const execute = build[name];
                build[name] = (...given) => (executing = execute(...given));
            }
            viteDevServer.watcher.on("change", async (file) => {
                for (let seen; seen !== executing;) {
                    seen = executing;
                    await seen.catch(() => {});
                }
                await onFileChange(file);
            });`,
  },
];
