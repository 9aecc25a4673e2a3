import path from "node:path";
import pg from "pg";
import { partEnvironment } from "../config/env.ts";
import { readImageSettings } from "../config/images.ts";
import { showProgress } from "../local/progress.ts";
import { migrate } from "../runtime/migrate.ts";
import { startPostgres } from "../runtime/postgres/start-postgres.ts";
import { readSettings } from "../runtime/settings.ts";
import { StartError } from "../runtime/start-error.ts";
import { createSupervisor, type Supervisor } from "../runtime/supervisor.ts";
import { chooseProviders } from "../src/api/services/images/providers/choose.ts";
import { createLocalStore } from "../src/api/services/images/providers/local.ts";
import { pushImages } from "../src/api/services/images/push-images.ts";

/* `npm run images:push`: pins every image of this DATA_DIR at the configured provider. */

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const { databaseUrl, dataDir, baseUrl } = readSettings(log);
    const problems: string[] = [];
    const settings = readImageSettings(partEnvironment({}), baseUrl, problems);
    if (settings === undefined || problems.length > 0) throw new StartError("failed", problems.join("\n"));
    const { provider } = chooseProviders(settings);
    if (provider === undefined)
      throw new StartError("failed", "there is nowhere to push to: set PINATA_JWT, or KUBO_RPC_URL");

    const url = databaseUrl ?? (await embeddedDatabase(supervisor, dataDir));
    await migrate(url);
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    pool.on("error", () => {});
    const progress = showProgress(`Pinning images at ${provider.name}`, log);
    const { pushed, failed } = await pushImages({
      pool,
      local: createLocalStore(path.resolve(dataDir, "images")),
      provider,
      onProgress: (done, total) => {
        if (total > 0) progress.update(done, total);
      },
      signal: supervisor.signal,
    }).finally(() => pool.end());
    progress.end();

    for (const { cid, reason } of failed) log(`${cid} was not pinned: ${reason}`);
    log(`${pushed.length} pinned at ${provider.name}, ${failed.length} failed.`);
    await supervisor.stop(failed.length > 0 ? 1 : 0);
  }),
);

async function embeddedDatabase({ adopt }: Supervisor, dataDir: string): Promise<string> {
  try {
    const postgres = await adopt("Postgres", (context) =>
      startPostgres({ dataDir: path.resolve(dataDir, "postgres"), log, ...context }),
    );
    return postgres.url;
  } catch (error) {
    if (!(error instanceof StartError) || error.code !== "in-use") throw error;
    throw new StartError(
      "in-use",
      "the service is running: run this again with DATABASE_URL set to the address of the embedded Postgres that it has printed",
    );
  }
}
