import { childEnvironment } from "./process-environment.ts";

/** Tells a child process that its progress is shown on a terminal. Internal: not a user setting. */
export const terminalVariable = "LAUNCHPAD_TERMINAL";

export const isShownOnTerminal = (): boolean => childEnvironment({})[terminalVariable] === "on";
