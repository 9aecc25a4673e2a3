import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { readSettings } from "../../runtime/settings.ts";
import { cachedChain } from "../index/chain/cached-chain.ts";
import { startNode } from "../index/chain/node.ts";
import { startProcesses } from "../index/processes.ts";
import { type ChainName, chainSizes } from "./chains.ts";
import { contenders } from "./contenders.ts";
import { measure } from "./measure.ts";
import { type BenchmarkOptions, readOptions } from "./options.ts";
import { formatReport, type Measured, makeReport } from "./report.ts";
import { installSubsquid } from "./run-subsquid.ts";
import type { Sample } from "./sample.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const options = readOptions();
    const { only, json } = options;
    const { dataDir } = readSettings(log);
    if (only.includes("subsquid")) installSubsquid();
    const folder = await mkdtemp(path.join(tmpdir(), "launchpad-bench-"));
    supervisor.onExit(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    // Root's Postgres runs as another user, who has to enter the folder.
    await chmod(folder, 0o711);

    const { onExit } = supervisor;
    // Started before the other processes, since it has to outlive the indexers.
    const postgres = await supervisor.adopt("Postgres", (context) =>
      startPostgres({ dataDir: path.join(folder, "postgres"), log, ...context }),
    );
    const processes = await startProcesses(supervisor);
    const measured: Measured[] = [];
    const blocks: Partial<Record<ChainName, number>> = {};

    for (const name of options.chains) {
      const chain = await cachedChain(processes, { ...chainSizes[name], dataDir, log, onExit });
      blocks[name] = chain.head;
      const node = await startNode(processes, ["--load-state", chain.stateFile]);
      for (const { round, contender, endpoint } of scheduleRuns(options)) {
        const sample = await measure(processes, {
          chain,
          contender,
          endpointName: endpoint,
          limit: options.limit,
          nodeUrl: node.rpcUrl,
          serverUrl: postgres.adminUrl,
          name: `${name}_${contender}_${endpoint}_${round}`,
        });
        measured.push({ chain: name, endpoint, contender, round, sample });
        log(`${name}, round ${round}, ${contenders[contender]}, ${endpoint}: ${described(sample)}`);
      }
      await node.process.stop();
    }

    const report = makeReport(measured, blocks);
    log(formatReport(report));
    if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
    if (report.chains.some(({ comparison }) => (comparison?.differences.length ?? 0) > 0)) {
      throw new Error("our sync and Ponder's own produced different tables");
    }
    await supervisor.stop(0);
  }),
);

/** All runs on a chain, in order. */
function scheduleRuns({ only, endpoints, rounds }: BenchmarkOptions) {
  return Array.from({ length: rounds }, (_, index) => {
    // Later runs have a warmer machine, so the contenders take turns at going first.
    const first = index % only.length;
    const order = [...only.slice(first), ...only.slice(0, first)];
    return order.flatMap((contender) =>
      endpoints.map((endpoint) => ({ round: index + 1, contender, endpoint })),
    );
  }).flat();
}

function described({ seconds, share }: Sample): string {
  const time = `${seconds.toFixed(1)} s`;
  return share < 1 ? `about ${time}, by the first ${(100 * share).toFixed(0)} %` : time;
}
