import path from "node:path";
import { readEnvironment } from "./config/env.ts";
import { isDevelopment } from "./runtime/ponder/options.ts";

// Ponder runs our files by Vite, which watches the whole folder of the project, whichever the command: also the files of the
// embedded Postgres, each write to which would cost the indexer and the API time.
// (CommonJS, since Vite writes the other kind beside itself to load it, and the folder may be read-only.)
export default {
  server: {
    watch: isDevelopment
      ? {
          ignored: [path.join(path.resolve(readEnvironment().dataDir), "**")],
          // An editor that formats what it has saved, and saves it again, is one change: Ponder can't take a second one while it
          // begins anew with the first.
          awaitWriteFinish: { stabilityThreshold: 300, pollInterval: 50 },
        }
      : null,
  },
};
