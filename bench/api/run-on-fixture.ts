import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { readSettings } from "../../runtime/settings.ts";
import { type Processes, startProcesses } from "../index/processes.ts";
import { type Fixture, openFixture, startServer } from "./fixture.ts";
import type { FixtureSize } from "./seed/size.ts";

type FixtureChoice = FixtureSize & {
  /** A Postgres server to use instead of the embedded one. */
  databaseUrl: string | undefined;
};

/** Runs a benchmark on a filled database of the size in its options, and exits the process. */
export async function runOnFixture<Options extends FixtureChoice>(
  readOptions: () => Options,
  measure: (
    options: Options,
    given: { processes: Processes; fixture: Fixture; log: (line: string) => void },
  ) => Promise<void>,
): Promise<never> {
  const log = (line: string) => console.log(line);
  const supervisor = createSupervisor({ log });
  const code = await supervisor.run(async () => {
    const options = readOptions();
    const { dataDir } = readSettings(log);
    const fixtureOptions = { ...options, dataDir, serverUrl: options.databaseUrl, log };
    // Started before the other processes, since it has to outlive them.
    const { serverUrl } = await startServer(supervisor, fixtureOptions);
    const processes = await startProcesses(supervisor);
    const fixture = await openFixture(processes, serverUrl, fixtureOptions);
    await measure(options, { processes, fixture, log });
    await supervisor.stop(0);
  });
  process.exit(code);
}
