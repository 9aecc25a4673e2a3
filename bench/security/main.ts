import { writeFile } from "node:fs/promises";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { readSettings } from "../../runtime/settings.ts";
import { sorts } from "../../src/api/tokens/list/order/sorts.ts";
import { openFixture, startServer } from "../api/fixture.ts";
import { type Processes, startProcesses } from "../index/processes.ts";
import { send } from "./attacker/flood.ts";
import { readListedTokens } from "./attacks/attack.ts";
import { type Measured, measure } from "./measure.ts";
import { type BenchmarkOptions, readOptions } from "./options.ts";
import { formatMeasured, formatReport, makeReport } from "./report.ts";
import { startService } from "./service.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

type Service = { url: string; pid: number | undefined; stop(): Promise<void> };

async function openService(options: BenchmarkOptions): Promise<{ processes: Processes; service: Service }> {
  const { url, pid, tokens, trades } = options;
  if (url !== undefined) {
    return { processes: await startProcesses(supervisor), service: { url, pid, stop: async () => {} } };
  }
  const { dataDir } = readSettings(log);
  const fixtureOptions = { tokens, trades, dataDir, serverUrl: undefined, log };
  // Started before the other processes, since it has to outlive them.
  const { serverUrl, sqlUrl } = await startServer(supervisor, fixtureOptions);
  const processes = await startProcesses(supervisor);
  return {
    processes,
    service: await startService(processes, {
      fixture: await openFixture(processes, serverUrl, fixtureOptions),
      sqlUrl,
    }),
  };
}

process.exit(
  await supervisor.run(async () => {
    const options = readOptions();
    const { processes, service } = await openService(options);
    const { url, pid } = service;
    // The first request in each order is slow. That must not count for an attack.
    for (const sort of sorts) await fetch(`${url}/api/tokens?sort=${sort}`);
    const [mint] = (await readListedTokens((request) => send(url, request))).mints;
    const paths = [
      "/api/health",
      "/api/tokens",
      `/api/token/${mint}`,
      `/api/token/${mint}/candles?interval=1m`,
    ];
    const measured: Measured[] = [];
    for (const attack of options.attacks) {
      for (const mode of options.modes) {
        measured.push(await measure(processes, { url, pid, paths }, { ...options, attack, mode }));
        log(formatMeasured(measured.at(-1) as Measured));
      }
    }
    await service.stop();
    const report = makeReport(measured);
    log(formatReport(report));
    if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
    await supervisor.stop(0);
  }),
);
