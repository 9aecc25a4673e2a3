import path from "node:path";
import { readEnvironment } from "./config/env.ts";

// Ponder runs our files by Vite, which watches the whole folder of the project, whichever the command: also the files of the
// embedded Postgres, each write to which would cost the indexer and the API time.
const { PONDER_COMMON } = globalThis as { PONDER_COMMON?: { options: { command: string } } };
// (CommonJS, since Vite writes the other kind beside itself to load it, and the folder may be read-only.)
const isDevelopment = PONDER_COMMON?.options.command === "dev";

export default {
  server: {
    watch: isDevelopment ? { ignored: [path.join(path.resolve(readEnvironment().dataDir), "**")] } : null,
  },
};
