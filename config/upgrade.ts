import { childEnvironment } from "./env.ts";

/* What processes of an upgrade tell each other by their environment. Set by us, and no settings. */

/** Tells `npm start` which running one it is to replace, as JSON. */
export const predecessorVariable = "LAUNCHPAD_PREDECESSOR";

export const predecessorText = (): string | undefined => childEnvironment({})[predecessorVariable];

/** Tells Ponder's process to wait for the listening socket of another one. */
export const waitingVariable = "LAUNCHPAD_WAITS";

export const isWaiting = (): boolean => childEnvironment({})[waitingVariable] === "on";
