import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeShortage } from "../../runtime/checks/database.ts";
import { freePort } from "../../runtime/checks/host.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { until } from "../service/condition.ts";
import { createDatabase, type TestDatabase } from "../service/database.ts";
import { runProgram } from "../service/program.ts";
import { programEnvironment } from "../service/program-environment.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* How many connections to Postgres a process with everything on may open, and what operators are told about that. */

const counter = new URL("../run/count-connections.mjs", import.meta.url).href;
/** What each opens for a moment. */
const passing = ["test", "offchain_migrate"];
/** How many of those it may have at a time, beside the others. */
const maxPassing = 2;

let chain: LaunchpadChain;
let database: TestDatabase;
let place: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  [chain, database, place] = await Promise.all([startLaunchpadChain(), createDatabase(), temporaryFolder()]);
});
afterAll(async () => {
  await Promise.all([chain.stop(), database.drop()]);
  await place.remove();
});

/** What a process keeps open at most: its pools, and connections with a name. */
async function countConnections(command: "start" | "serve"): Promise<number> {
  const file = path.join(place.folder, command);
  const port = await freePort();
  const program = runProgram(path.join(projectDir, `runtime/${command}.ts`), {
    env: {
      PORT: String(port),
      DATABASE_URL: database.url,
      DATABASE_READ_URL: database.readUrl,
      DATABASE_SQL_URL: database.sqlUrl,
      SQL: "on",
      ALERTS: "on",
      ALERTS_KEY: "ab".repeat(32),
      DATA_DIR: place.folder,
      PONDER_RPC_URL_56: chain.rpcUrl,
      POLLING_INTERVAL_56: "100",
      TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
      LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
      START_BLOCK_56: String(chain.deployment.startBlock),
      CONNECTIONS_FILE: file,
      NODE_OPTIONS: `${programEnvironment().NODE_OPTIONS} --import=${counter}`,
    },
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until("the service to be ready", isReady);
  await program.untilOutput("The API is at");
  program.kill("SIGTERM");
  await program.exited;
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  return lines
    .map((line) => line.split(" "))
    .filter(([, kind, , name = ""]) => (kind === "pool" || name !== "") && !passing.includes(name))
    .reduce((sum, [, , count]) => sum + Number(count), 0);
}

test("each process opens as many connections as operators are told", async () => {
  const counted = { start: await countConnections("start"), serve: await countConnections("serve") };
  const warning = describeShortage({ max: 1, reserved: 0 }, "serve") ?? "";
  const [, start = "", serve = ""] = /npm start may open (\d+), each npm run serve (\d+)/.exec(warning) ?? [];
  for (const [told, most] of [
    [Number(start), counted.start],
    [Number(serve), counted.serve],
  ] as const) {
    expect(told).toBeGreaterThanOrEqual(most);
    expect(told).toBeLessThanOrEqual(most + maxPassing);
  }
  const says = (file: string) => readFileSync(path.join(projectDir, file), "utf8").replaceAll(/[\s#]+/g, " ");
  expect(says("docs/operations/processes.md")).toContain(
    `may open up to ${serve} connections to Postgres, and \`npm start\` ${start}`,
  );
  expect(says("docs/operations/capacity.md")).toContain(
    `${start} for \`npm start\`, ${serve} for each \`npm run serve\``,
  );
  expect(says("docs/operations/capacity.md")).toContain(`${start} + ${serve} for each \`npm run serve\``);
  expect(says("docs/operations/upgrades.md")).toContain(`up to ${start} connections to Postgres each`);
  expect(says("deploy/compose.yaml")).toContain(
    `opens up to ${start} connections, each serving process ${serve},`,
  );
});
