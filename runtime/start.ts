import path from "node:path";
import { checkChains } from "./check-chains.ts";
import type { KeptRunning } from "./keep-running.ts";
import { migrate } from "./migrate.ts";
import { noChain } from "./no-chain.ts";
import { startPonder } from "./ponder.ts";
import { assertPortFree } from "./port.ts";
import { startPostgres } from "./postgres/start-postgres.ts";
import { redactor } from "./redact.ts";
import { createSchemaLock } from "./schema-lock.ts";
import { serviceEnvironment } from "./service-environment.ts";
import { readSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";
import { createSupervisor } from "./supervisor.ts";

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
      env: serviceEnvironment({ port, databaseUrl: database, schema: databaseSchema, dataDir }),
      onLine(line) {
        log(redact(line));
        if (line.includes("was previously used by a different Ponder app")) log(changedApp);
      },
      prepare: acquire,
    });
    log(`The API is at http://localhost:${port}/api, and everything is indexed when /ready answers 200.`);
    if (databaseUrl === undefined) log(`The embedded Postgres: ${database}`);
  }),
);
