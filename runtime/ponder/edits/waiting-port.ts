import type { Edit } from "./edit.ts";

/** Lets a process that will be handed a listening socket start while all ports around PORT are taken. */
export const waitingPort: Edit[] = [
  // Looking for a free port, Ponder ended with an uncaught error at the second one that was taken. The variable is that of config/upgrade.ts.
  {
    file: "ponder/dist/esm/build/index.js",
    from: "const port = await getNextAvailablePort({ common });",
    to: `const port = process.env.LAUNCHPAD_WAITS === "on" ? common.options.port : await getNextAvailablePort({ common });`,
  },
];
