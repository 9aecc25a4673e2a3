import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { alertEnvironment } from "../service/alerts.ts";
import { copyProgram } from "../service/checkout.ts";
import { until } from "../service/condition.ts";
import { createDatabase, type TestDatabase } from "../service/database.ts";
import { type Indexer, startIndexer } from "../service/indexer.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* `ponder dev` on a copy of the project, whose files are edited while it runs. */

const rounds = 6;

let chain: LaunchpadChain;
let database: TestDatabase;
let place: Awaited<ReturnType<typeof temporaryFolder>>;
let indexer: Indexer;
let folder: string;

beforeEach(async () => {
  [chain, database, place] = await Promise.all([startLaunchpadChain(), createDatabase(), temporaryFolder()]);
  folder = path.join(place.folder, "checkout");
  copyProgram(folder);
  indexer = await startIndexer({
    databaseUrl: database.url,
    chains: [chain.indexed()],
    command: "dev",
    folder,
    env: alertEnvironment,
  });
  await indexer.untilReady();
});

afterEach(async () => {
  await indexer?.kill();
  await Promise.all([chain?.stop(), database?.drop(), place?.remove()]);
});

const edit = (file: string, change: (text: string) => string) => {
  const name = path.join(folder, file);
  writeFileSync(name, change(readFileSync(name, "utf8")));
};

test("files may be saved in quick succession, even during a reload", async () => {
  const { description } = await documentInfo();
  for (let round = 1; round <= rounds; round++) {
    const saves: [file: string, msBefore: number][] = [
      ["src/handlers/token-factory.ts", 0],
      ["src/domain/price.ts", 50],
      ["src/api/docs/docs.ts", 50],
      // By then the reload has begun.
      ["src/handlers/launchpad.ts", 600 + 250 * round],
      ["src/handlers/token-factory.ts", 700],
    ];
    for (const [file, msBefore] of saves) {
      await delay(msBefore);
      edit(file, (text) => `${text.replace(/\d*Tokens on a/, `${round}Tokens on a`)}// ${round}\n`);
    }
    await until("the newest code to answer", async () => {
      const info = await documentInfo().catch(() => undefined);
      return info?.description === `${round}${description}`;
    });
    const mint = await chain.create(chain.traders[0]);
    await until("the token to be indexed", async () => {
      const response = await fetch(
        `${indexer.url}/api/metadata/${mint}?minBlock=${await chain.head()}`,
      ).catch(() => undefined);
      return response?.ok;
    });
  }
  expect(indexer.output()).not.toMatch(/uncaughtException|unhandledRejection|after calling end/);
});

test("alerts answer after an edit that only replaces the server", async () => {
  const servers = () => indexer.output().split("Created HTTP server").length;
  const before = servers();
  // The API doesn't import it, so the next server has the same modules.
  edit("src/handlers/token-factory.ts", (text) => `${text}// Edited.\n`);
  await until("the next server", async () => servers() > before);
  const { status } = await fetch(`${indexer.url}/api/alerts`, {
    headers: { authorization: `Bearer alerts_${"a".repeat(43)}` },
    signal: AbortSignal.timeout(10_000),
  });
  // So it has looked in the database.
  expect(status).toBe(401);
});

const documentInfo = async (): Promise<{ description: string }> =>
  (
    JSON.parse(await (await fetch(`${indexer.url}/api/openapi.json`)).text()) as {
      info: { description: string };
    }
  ).info;
