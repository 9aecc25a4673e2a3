import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ignore } from "../config/async.ts";
import type { Environment } from "../config/env.ts";
import type { LogLevel } from "../config/log.ts";
import { childEnvironment, loadSettingsFile, readSecretFiles } from "../config/process-environment.ts";
import { addRedactor, configureLog, log, settingsRedactor } from "./log/log.ts";
import { channelOf, type Message } from "./process/channel.ts";
import { StartError, type StartErrorCode } from "./start-error.ts";
import type { StartTasks } from "./start-tasks.ts";

type RunStartTask = <Name extends keyof StartTasks>(
  name: Name,
  ...args: Parameters<StartTasks[Name]>
) => Promise<Awaited<ReturnType<StartTasks[Name]>>>;

type StartTasksOptions = {
  signal: AbortSignal;
  /** Runs when a task has to wait for an endpoint. */
  onWait?: () => void;
};

/**
 * Does some work with a process for the tasks of start-tasks.ts, which logs through this one. The tasks run one after the other, and
 * throw what they throw there, or the signal's reason.
 */
export async function withStartTasks<Result>(
  { signal, onWait }: StartTasksOptions,
  work: (run: RunStartTask) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const child = spawn(
    process.execPath,
    [...process.execArgv, fileURLToPath(new URL("start-tasks.ts", import.meta.url))],
    { stdio: ["ignore", "inherit", "inherit", "ipc"], serialization: "advanced", env: childEnvironment({}) },
  );
  const channel = channelOf(child);
  const ended = Promise.withResolvers<never>();
  // Whoever runs a task awaits it.
  ended.promise.catch(ignore);
  child.on("error", ({ message }) => ended.reject(cannotSpawn(message)));
  child.once("exit", (code, killedBy) =>
    ended.reject(
      new Error(`the process that prepares the start ended with ${killedBy ?? `exit code ${code}`}`),
    ),
  );
  const onAbort = () => ended.reject(signal.reason);
  signal.addEventListener("abort", onAbort);

  const run: RunStartTask = async (name, ...args) => {
    const answer = Promise.withResolvers<Message>();
    const stop = channel.listen((message) => {
      if (message.kind === "log") log(message.line as string, message.level as LogLevel | undefined);
      else if (message.kind === "waiting") onWait?.();
      else answer.resolve(message);
    });
    try {
      await Promise.race([channel.send({ kind: name, args }), ended.promise]);
      const { kind, result, ...failure } = await Promise.race([answer.promise, ended.promise]);
      if (kind === "failed") throw toError(failure as Failure);
      return result as never;
    } finally {
      stop();
    }
  };
  try {
    // Else what can't be sent to it would be reported first.
    if (child.pid === undefined) await ended.promise;
    return await work(run);
  } finally {
    signal.removeEventListener("abort", onAbort);
    child.kill();
  }
}

/** Without the cause: a program that is gone has the same code as a database's socket, for which a standby waits. */
const cannotSpawn = (reason: string) =>
  new StartError(
    `cannot start another process (${reason}): start again once the program is there, and the limits on processes and files allow it`,
  );

type Failure = { isExpected: boolean; message: string; stack?: string; code?: string };

function toError({ isExpected, message, stack, code }: Failure): Error {
  if (isExpected) return new StartError(message, { code: code as StartErrorCode });
  return Object.assign(new Error(message), { code, stack });
}

/** Reads the settings as `readSettings` does, for this process too. */
export async function readSettingsApart(run: RunStartTask): Promise<Environment> {
  // The other process reports what is wrong with them.
  loadSettingsFile();
  configureLog(childEnvironment({}));
  const settings = await run("readSettings");
  readSecretFiles();
  addRedactor(
    settingsRedactor(settings, settings.databaseUrl, settings.databaseReadUrl, settings.databaseSqlUrl),
  );
  return settings;
}
