import { childEnvironment } from "./process-environment.ts";

/* What the processes of an upgrade pass to each other through their environment. Internal: not user settings. */

/** Tells `npm start` which running instance it replaces, as JSON. */
export const predecessorVariable = "LAUNCHPAD_PREDECESSOR";

export const predecessorText = (): string | undefined => childEnvironment({})[predecessorVariable];

/** Tells Ponder's process to wait for the listening socket that its parent passes on. */
export const waitingVariable = "LAUNCHPAD_WAITS";

export const isWaiting = (): boolean => childEnvironment({})[waitingVariable] === "on";
