import path from "node:path";
import { describe, expect, test } from "vitest";
import { freePort } from "../../runtime/checks/port.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { until } from "../service/condition.ts";
import { createDatabase } from "../service/database.ts";
import { hasPgBouncer, startPgBouncer } from "../service/pgbouncer.ts";
import { runProgram } from "../service/program.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

describe.runIf(hasPgBouncer)("behind PgBouncer with its default settings, in session mode", () => {
  test("npm start indexes, answers and registers", async () => {
    const [chain, database, place] = await Promise.all([
      startLaunchpadChain(),
      createDatabase(),
      temporaryFolder(),
    ]);
    const mint = await chain.create(chain.traders[0]);
    const pooler = await startPgBouncer(database.url, "session");
    const port = String(await freePort());
    const service = runProgram(path.join(projectDir, "runtime/start.ts"), {
      env: {
        PORT: port,
        DATABASE_URL: pooler.url,
        DATA_DIR: place.folder,
        PONDER_RPC_URL_56: chain.rpcUrl,
        POLLING_INTERVAL_56: "100",
        TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
        LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
        START_BLOCK_56: String(chain.deployment.startBlock),
      },
    });
    try {
      const url = `http://127.0.0.1:${port}`;
      await until("the token", async () => {
        if (service.hasExited()) throw new Error(service.output());
        const answer = await fetch(`${url}/api/curve/${mint}`).catch(() => undefined);
        return answer?.status === 200;
      });
      await until("the service to be ready", async () => (await fetch(`${url}/ready`)).ok);
      expect((await fetch(`${url}/api/tokens`)).status).toBe(200);
      const answer = await fetch(`${url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: "{ tokens { items { address } } }" }),
      });
      expect(await answer.json()).toEqual({ data: { tokens: { items: [{ address: mint.toLowerCase() }] } } });
    } finally {
      service.kill("SIGTERM");
      await service.exited;
      await Promise.all([pooler.stop(), chain.stop(), place.remove()]);
      await database.drop();
    }
  });
});
