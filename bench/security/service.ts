import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { deployLaunchpad } from "../../contracts/deploy.ts";
import { testKey } from "../../local/anvil.ts";
import { prepareAnalysts } from "../../runtime/analysts/prepare-analysts.ts";
import type { Fixture } from "../api/fixture.ts";
import { onchainSchema } from "../api/seed/ponder-tables.ts";
import { startApi } from "../api/servers.ts";
import { startNode } from "../index/chain/node.ts";
import type { Processes } from "../index/processes.ts";

/** Starts the service as users run it, with rate limits and clients' SQL, and a chain with the contracts. */
export async function startService(
  processes: Processes,
  { fixture, sqlUrl = "" }: { fixture: Fixture; sqlUrl: string | undefined },
) {
  const { rpc, rpcUrl, process: node } = await startNode(processes, []);
  await rpc([["evm_setAutomine", [true]]]);
  // Deployed by the same account on a fresh chain, the contracts have the same addresses as in the database.
  const deployment = await deployLaunchpad({ rpcUrl, account: privateKeyToAccount(testKey) });
  if (deployment.launchpad !== fixture.deployment.launchpad) {
    throw new Error("the contracts have other addresses than when the database was created: delete it");
  }
  const databaseSqlUrl = await prepareAnalysts({
    url: fixture.databaseUrl,
    readUrl: undefined,
    sqlUrl: Object.assign(new URL(sqlUrl), { pathname: new URL(fixture.databaseUrl).pathname }).href,
    schema: onchainSchema,
    isSqlOn: true,
    log: console.log,
  });
  if (databaseSqlUrl === undefined) throw new Error("the database has no role for clients' SQL");
  const dataDir = await mkdtemp(path.join(tmpdir(), "launchpad-bench-security-"));
  const api = await startApi(processes, fixture, {
    cacheMegabytes: undefined,
    profile: undefined,
    rpcUrl,
    dataDir,
    rateLimit: true,
    databaseSqlUrl,
  });
  return {
    url: `http://127.0.0.1:${api.port}`,
    pid: api.pid,
    async stop(): Promise<void> {
      await api.stop();
      await node.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
