import { childEnvironment } from "./env.ts";

/** Tells a child that its progress is shown on a terminal. Set by us, and no setting. */
export const terminalVariable = "LAUNCHPAD_TERMINAL";

export const isShownOnTerminal = (): boolean => childEnvironment({})[terminalVariable] === "on";
