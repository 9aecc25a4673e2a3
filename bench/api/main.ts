import { readSettings } from "../../runtime/settings.ts";
import { createSupervisor } from "../../runtime/supervisor.ts";
import { hireCrew } from "../index/crew.ts";
import { readOptions } from "./options.ts";
import { openWorld, startServer } from "./world.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const options = readOptions();
    const { dataDir } = readSettings(log);
    const worldOptions = { ...options, dataDir, serverUrl: options.databaseUrl, log };
    // Before the crew, since it has to outlive the others.
    const serverUrl = await startServer(supervisor, worldOptions);
    const crew = await hireCrew(supervisor);
    const world = await openWorld(crew, serverUrl, worldOptions);
    log(world.databaseUrl);
    await supervisor.stop(0);
  }),
);
