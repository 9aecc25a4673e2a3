import path from "node:path";

// In development Ponder runs our files by Vite, which watches the whole folder of the project: also the files of the embedded
// Postgres, each write to which would cost the indexer and the API time.
// (CommonJS, since Vite writes the other kind beside itself to load it, and the folder may be read-only.)
export default async () => ({
  server: {
    watch: {
      ignored: [path.join(await dataDir(), "**")],
      // An editor that formats what it has saved, and saves it again, is one change: Ponder would begin anew twice.
      awaitWriteFinish: { stabilityThreshold: 300, pollInterval: 50 },
    },
  },
});

/** Loads the settings, and with them a second copy of zod, only where they are needed. */
async function dataDir(): Promise<string> {
  const { readEnvironment } = await import("./config/env.ts");
  return path.resolve(readEnvironment().dataDir);
}
