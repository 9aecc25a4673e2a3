import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../runtime/checks/host.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startTcpGate } from "../doubles/tcp-gate.ts";
import { differences } from "../reference-market/reconcile.ts";
import { until } from "../service/condition.ts";
import { createDatabase } from "../service/database.ts";
import { runProgram } from "../service/program.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

const script = path.join(projectDir, "runtime/start.ts");

let chain: LaunchpadChain;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  await chain.trade(6, { blocks: 5, actionsPerBlock: 5, creations: 0.02 });
});
afterAll(() => chain?.stop());

test("a standby that the database leaves between the lock and the indexer waits for it, and indexes then", async () => {
  const [place, database] = await Promise.all([temporaryFolder(), createDatabase()]);
  const { hostname, port } = new URL(database.url);
  const gate = await startTcpGate(hostname, Number(port));
  const gated = Object.assign(new URL(database.url), { host: `127.0.0.1:${gate.port}` }).href;

  async function start(url: string) {
    const ownPort = await freePort();
    const env = {
      PORT: String(ownPort),
      DATABASE_URL: url,
      DATA_DIR: place.folder,
      PONDER_RPC_URL_56: chain.rpcUrl,
      POLLING_INTERVAL_56: "100",
      TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
      LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
      START_BLOCK_56: String(chain.deployment.startBlock),
    };
    const program = runProgram(script, { env });
    const isReady = async () =>
      (await fetch(`http://127.0.0.1:${ownPort}/ready`).catch(() => undefined))?.status === 200;
    return { program, untilReady: () => until("the service to be ready", isReady) };
  }

  const first = await start(database.url);
  await first.untilReady();
  const standby = await start(gated);
  onTestFinished(async () => {
    for (const { program } of [first, standby]) {
      program.kill("SIGTERM");
      await program.exited;
    }
    await gate.stop();
    await database.drop();
    await place.remove();
  });
  await standby.program.untilOutput("this one serves it, and indexes once the other has gone");
  await standby.untilReady();

  first.program.kill("SIGTERM");
  await standby.program.untilOutput("has gone: this one indexes from now on");
  // It ends its API before it goes on.
  gate.close();
  await standby.program.untilOutput("standing by: ");
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator);
  await chain.buy(buyer, token, 10n ** 15n);
  gate.open();
  await standby.untilReady();
  await until(
    "the index to equal the chain",
    async () => (await differences({ ...chain, database })).length === 0,
  );
  expect(standby.program.hasExited()).toBe(false);
});
