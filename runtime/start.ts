import path from "node:path";
import { partEnvironment } from "../config/env.ts";
import { migrate } from "./migrate.ts";
import { startPonder } from "./ponder.ts";
import { assertPortFree } from "./port.ts";
import { startPostgres } from "./postgres/start-postgres.ts";
import { readSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";
import { createSupervisor } from "./supervisor.ts";
import { watchDatabase } from "./watch-database.ts";

const noChain = `no chain is configured: set PONDER_RPC_URL_56, TOKEN_FACTORY_ADDRESS_56, LAUNCHPAD_ADDRESS_56 and START_BLOCK_56
  (or the same ending in _97 for testnet) in .env.local, for which .env.example is the pattern. To look around first, run
  npm run dev: it needs none.`;

const changedApp =
  "The contracts, the schema or the handlers have changed since DATABASE_SCHEMA was filled: set DATABASE_SCHEMA to a new name, such as onchain_2. Registrations are kept elsewhere and stay.";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const { port, databaseUrl, databaseSchema, dataDir, chains } = readSettings(log);
    if (chains.length === 0) throw new StartError("failed", noChain);
    await assertPortFree(port, "API", "PORT");

    const database =
      databaseUrl ??
      (
        await supervisor.adopt("Postgres", (context) =>
          startPostgres({ dataDir: path.resolve(dataDir, "postgres"), log, ...context }),
        )
      ).url;
    await migrate(database);

    const indexer = await startPonder(supervisor, {
      command: "start",
      schema: databaseSchema,
      env: partEnvironment({
        PORT: String(port),
        DATABASE_URL: database,
        // Ponder prefers it to DATABASE_URL.
        DATABASE_PRIVATE_URL: undefined,
      }),
      onLine: (line) => {
        log(line);
        if (line.includes("was previously used by a different Ponder app")) log(changedApp);
      },
    });
    void watchDatabase({
      url: database,
      signal: supervisor.signal,
      onLost() {
        log(
          "the database closed the connection: starting the indexer again, from what the database still has",
        );
        indexer.restart();
      },
    });
  }),
);
