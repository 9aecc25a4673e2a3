import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { chmod, chown, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../runtime/checks/host.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { copyProgram } from "../service/checkout.ts";
import { until } from "../service/condition.ts";
import { createDatabase, type TestDatabase } from "../service/database.ts";
import { hasPgBouncer, startPgBouncer } from "../service/pgbouncer.ts";
import { type Program, runProgram } from "../service/program.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient } from "../service/rest-client.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* `npm start` in a folder that it may not write to, with a secret from a file, and behind PgBouncer, where there is one. */

const nobody = 65_534;

let chain: LaunchpadChain;
let mint: Address;
let database: TestDatabase;
let pooler: Awaited<ReturnType<typeof startPgBouncer>> | undefined;
let place: Awaited<ReturnType<typeof temporaryFolder>>;
let data: Awaited<ReturnType<typeof temporaryFolder>>;
let checkout: string;
let before: Record<string, number>;
let service: Program;
let url: string;

beforeAll(async () => {
  [chain, database, place, data] = await Promise.all([
    startLaunchpadChain(),
    createDatabase(),
    temporaryFolder(),
    temporaryFolder(),
  ]);
  mint = await chain.create(chain.traders[0]);
  pooler = hasPgBouncer ? await startPgBouncer(database.url, "session") : undefined;
  checkout = path.join(place.folder, "checkout");
  copyProgram(checkout);
  before = filesIn(checkout);
  // Permissions don't restrict root.
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot && isReachable(projectDir) ? nobody : undefined;
  await chmod(place.folder, 0o755);
  if (uid !== undefined) await chown(data.folder, uid, uid);

  const secret = path.join(place.folder, "database-url");
  await writeFile(secret, `${pooler?.url ?? database.url}\n`);
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  service = runProgram(path.join(checkout, "runtime/start.ts"), {
    cwd: checkout,
    uid,
    env: {
      PORT: port,
      DATABASE_URL_FILE: secret,
      DATA_DIR: data.folder,
      // The shared compile cache belongs to our user: others can read it, but Node would keep a separate one for each user.
      NODE_COMPILE_CACHE: undefined,
      PONDER_RPC_URL_56: chain.rpcUrl,
      POLLING_INTERVAL_56: "100",
      TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
      LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
      START_BLOCK_56: String(chain.deployment.startBlock),
    },
  });
  await until("the service to be ready", async () => {
    if (service.hasExited()) throw new Error(service.output());
    return (await fetch(`${url}/ready`).catch(() => undefined))?.ok;
  });
});

afterAll(async () => {
  service?.kill("SIGTERM");
  await service?.exited;
  await Promise.all([pooler?.stop(), chain?.stop(), place?.remove(), data?.remove()]);
  await database?.drop();
});

test.runIf(hasPgBouncer)(
  "behind PgBouncer in session mode, npm start indexes, answers and registers",
  async () => {
    await until("the token", async () => (await fetch(`${url}/api/curve/${mint}`)).status === 200);
    expect((await fetch(`${url}/api/tokens`)).status).toBe(200);
    const answer = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "{ tokens { items { address } } }" }),
    });
    expect(await answer.json()).toEqual({ data: { tokens: { items: [{ address: mint.toLowerCase() }] } } });
    const rest = await createRestClient(url);
    const { status } = await rest.post("/api/tokens", registrationOf(mint, chain.traders[0]));
    expect(status).toBe(201);
  },
);

test("npm start writes nothing into the project folder, which may belong to another user", () => {
  expect(filesIn(checkout)).toEqual(before);
});

/** Maps every file to the time of its last change. */
function filesIn(folder: string): Record<string, number> {
  const files = readdirSync(folder)
    // Without node_modules, which has fifty times as many files.
    .filter((name) => name !== "node_modules")
    .flatMap((name) => {
      const entry = path.join(folder, name);
      if (!statSync(entry).isDirectory()) return [entry];
      return readdirSync(entry, { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile())
        .map(({ parentPath, name }) => path.join(parentPath, name));
    });
  return Object.fromEntries(files.sort().map((file) => [file, statSync(file).mtimeMs]));
}

/** Whether every user may enter the folder. */
function isReachable(folder: string): boolean {
  accessSync(folder, constants.R_OK);
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
  }
  return true;
}
