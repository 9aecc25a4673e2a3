import path from "node:path";
import { partEnvironment } from "../config/env.ts";
import { checkChains } from "./check-chains.ts";
import type { KeptRunning } from "./keep-running.ts";
import { migrate } from "./migrate.ts";
import { startPonder } from "./ponder.ts";
import { assertPortFree } from "./port.ts";
import { startPostgres } from "./postgres/start-postgres.ts";
import { redactor } from "./redact.ts";
import { createSchemaLock } from "./schema-lock.ts";
import { readSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";
import { createSupervisor } from "./supervisor.ts";

const noChain = `no chain is configured: set PONDER_RPC_URL_56, TOKEN_FACTORY_ADDRESS_56, LAUNCHPAD_ADDRESS_56 and START_BLOCK_56
  (or the same ending in _97 for testnet) in .env.local, for which .env.example is the pattern. To look around first, run
  npm run dev: it needs none.`;

const changedApp =
  "The contracts, the schema or the handlers have changed since DATABASE_SCHEMA was filled: set DATABASE_SCHEMA to a new name, such as onchain_2. Registrations are kept elsewhere and stay.";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const settings = readSettings(log);
    const { port, databaseUrl, databaseSchema, dataDir, chains } = settings;
    if (chains.length === 0) throw new StartError("failed", noChain);
    await assertPortFree(port, "API", "PORT");
    await checkChains(chains);

    const database =
      databaseUrl ??
      (
        await supervisor.adopt("Postgres", (context) =>
          startPostgres({ dataDir: path.resolve(dataDir, "postgres"), log, ...context }),
        )
      ).url;
    await migrate(database);

    let indexer: KeptRunning | undefined;
    const { acquire } = createSchemaLock({
      url: database,
      schema: databaseSchema,
      signal: supervisor.signal,
      onLost() {
        log(
          "the database closed the connection: starting the indexer again, from what the database still has",
        );
        indexer?.restart();
      },
    });
    await acquire();

    const redact = redactor([...chains.flatMap(({ rpcUrls }) => rpcUrls), database]);
    indexer = await startPonder(supervisor, {
      command: "start",
      schema: databaseSchema,
      env: partEnvironment({
        PORT: String(port),
        DATABASE_URL: database,
        DATABASE_SCHEMA: databaseSchema,
        // Ponder prefers it to DATABASE_URL, and would read it from .env.local if it were not set.
        DATABASE_PRIVATE_URL: "",
      }),
      onLine(line) {
        log(redact(line));
        if (line.includes("was previously used by a different Ponder app")) log(changedApp);
      },
      prepare: acquire,
    });
    log(`GraphQL is at http://localhost:${port}/graphql, and all of it indexed when /ready answers 200.`);
    if (databaseUrl === undefined) log(`The embedded Postgres: ${database}`);
  }),
);
