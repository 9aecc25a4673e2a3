import path from "node:path";
import { anySignal, ignore, pause } from "../../config/async.ts";
import { reasonOf } from "../../config/error-code.ts";
import type { Variables } from "../../config/values.ts";
import type { KeptConnection } from "../../offchain/connection.ts";
import type { Adoption } from "../../offchain/stream-adoption.ts";
import { readChildLine, textOfChildLine } from "../log/child-lines.ts";
import { type Log, writeRecord } from "../log/log.ts";
import { projectDir } from "../ponder/ponder.ts";
import { type Channel, forwardSockets, nextMessage, type RawHandle } from "../process/channel.ts";
import type { Exit, RestartingProcess } from "../process/child-process.ts";
import { collectGarbage, type Supervisor } from "../process/supervisor.ts";
import type { PublicPort } from "../public-port.ts";
import { openControlSocket, type UpgradeAnswer, type UpgradeRequest } from "./control-socket.ts";
import { assertSpaceForSchema } from "./free-space.ts";
import { predecessorEnvironment } from "./predecessor.ts";
import { switchBack } from "./publish-schema.ts";
import { watchRepairs } from "./repair.ts";

/** What an upgrade needs to know about the running version. */
export type RunningVersion = {
  supervisor: Supervisor;
  indexer: RestartingProcess;
  publicPort: PublicPort;
  /** The environment that this process was started with, before it read `.env.local`. */
  environment: Variables;
  port: number;
  host: string | undefined;
  dataDir: string;
  /** The folder of the embedded Postgres; undefined if the database is elsewhere. */
  postgresFolder: string | undefined;
  url: string;
  onDatabase: KeptConnection;
  readUrl: string | undefined;
  /** As configured, before it was known whether /sql can run with it. */
  sqlUrl: string | undefined;
  schema: string;
  log: Log;
  /** Called when nothing indexes into the schema any more, to release it. */
  leaveSchema: () => void;
};

const maxRetireMs = 30_000;
/** How long a new version may prepare before it indexes: it may have to change large off-chain tables. */
const maxBeginMs = 1_800_000;
/** How long it may give no sign of life, which it does every ten seconds. Earlier versions give none. */
const maxSilentMs = 60_000;
/** How long it may take to switch. It gives up each step itself after 10 or 20 seconds, unless it hangs. */
const maxSwitchMs = 60_000;
const retryMs = 1_000;

/**
 * Waits for `npm run upgrade`, and replaces this version's Ponder process with another version's, or for a requested repair, and
 * replaces it with this version's on another schema. This process stays the parent.
 */
export async function offerUpgrades(running: RunningVersion): Promise<void> {
  const { supervisor, dataDir, onDatabase, schema, log } = running;
  const closing = new AbortController();
  const signal = anySignal(supervisor.signal, closing.signal);
  let current: { cancel: () => void; ended: Promise<UpgradeAnswer> } | undefined;

  async function start(
    request: UpgradeRequest,
    answer: (answer: UpgradeAnswer) => void,
    disconnected?: AbortSignal,
  ): Promise<UpgradeAnswer> {
    const cancelling = new AbortController();
    const cancelled = anySignal(cancelling.signal, disconnected);
    const ended = upgrade(running, request, answer, cancelled, () => closing.abort()).catch(failure);
    current = { cancel: () => cancelling.abort(), ended };
    const result = await ended;
    // After a switch, the other version accepts the next one.
    if (result.kind !== "done") current = undefined;
    return result;
  }

  void watchRepairs({
    onDatabase,
    schema,
    signal,
    log,
    isUpgrading: () => current !== undefined,
    async cancelUpgrade() {
      current?.cancel();
      await current?.ended;
    },
    async switchTo(to) {
      // An upgrade that has begun since indexes what is stored now.
      if (current !== undefined) return false;
      const result = await start({ program: process.execPath, folder: projectDir, to }, () => {});
      if (result.kind === "failed") log(`repair: ${result.text}`, "warn");
      return result.kind === "done";
    },
  });
  await openControlSocket(
    {
      dataDir,
      log,
      async onUpgrade(request, answer, disconnected) {
        if (current !== undefined) {
          return answer({ kind: "failed", text: "another upgrade is under way, or a repair" });
        }
        log(`upgrade: starting the version in ${request.folder}`);
        const result = await start(request, answer, disconnected);
        log(`upgrade: ${result.text}`);
        answer(result);
      },
    },
    signal,
  );
}

/** Node's arguments for `npm start` of a version, run in its folder. What is imported is a URL, in which a # of the folder's name would end the path. */
export const startArguments = (folder: string): string[] => [
  "--import",
  "./runtime/node-version.mjs",
  path.join(folder, "runtime/start.ts"),
];

async function upgrade(
  running: RunningVersion,
  request: UpgradeRequest,
  answer: (answer: UpgradeAnswer) => void,
  cancelled: AbortSignal,
  onSwitched: () => void,
): Promise<UpgradeAnswer> {
  const { supervisor, indexer, publicPort, environment, port, host, dataDir, url, schema, log } = running;
  const { readUrl = "", sqlUrl = "" } = running;
  const { program, folder, to } = request;
  const { postgresFolder: postgres, onDatabase } = running;
  if (postgres !== undefined)
    await onDatabase((client) => assertSpaceForSchema(client, { folder: postgres, schema, to }));
  if (cancelled.aborted) throw new Error("cancelled");
  let isSwitched = false;
  const failed = Promise.withResolvers<never>();
  // Promise.race reports whichever failure comes first.
  failed.promise.catch(ignore);
  const limits = limitWaits((reason) => {
    const last = child.lastLines().at(-1);
    failed.reject(new Error(last === undefined ? reason : `${reason}: ${last}`));
  });
  const guest = supervisor.spawnGuest("the new version", program, startArguments(folder), {
    cwd: folder,
    env: {
      ...environment,
      DATABASE_URL: url,
      DATABASE_READ_URL: readUrl,
      DATABASE_SQL_URL: sqlUrl,
      // It gets what was in them.
      DATABASE_URL_FILE: "",
      DATABASE_READ_URL_FILE: "",
      DATABASE_SQL_URL_FILE: "",
      DATA_DIR: path.resolve(dataDir),
      // Written again below, in our own form.
      LOG_FORMAT: "json",
      ...predecessorEnvironment({ schema, port, host, to, postgresFolder: postgres }),
    },
    hasChannel: true,
    stopTimeoutMs: 8_000,
    onLine(line, stream) {
      writeRecord(readChildLine(line, stream));
      if (!isSwitched) answer({ kind: "line", text: textOfChildLine(line) });
    },
  });
  const { child } = guest;
  const { channel } = child;
  if (channel === undefined) throw new Error("Invariant(upgrade): a version without a channel");

  let nextSchema: string | undefined;
  let listener: RawHandle | undefined;
  /** The API that gave it. */
  let giver: Channel | undefined;
  let handing: Promise<void> | undefined;
  const switched = Promise.withResolvers<void>();
  const returned = Promise.withResolvers<void>();
  const stopListening = channel.listen((message) => {
    if (message.kind === "schema") {
      nextSchema = String(message.schema);
      limits.begun();
    }
    if (message.kind === "alive") limits.alive();
    if (message.kind === "switching") limits.switching();
    if (message.kind === "accepting") switched.resolve();
    if (message.kind === "hand over") {
      handing = handOver();
      handing.catch(failed.reject);
    }
  });
  void child.exited.then((exit) => failed.reject(new Error(describeEnd(exit, child.lastLines()))));
  cancelled.addEventListener("abort", () => listener === undefined && failed.reject(new Error("cancelled")));

  async function handOver(): Promise<void> {
    const apiChannel = indexer.channel();
    if (apiChannel === undefined) throw new Error("the running version has no API to hand over");
    const listenerMessage = nextMessage(apiChannel, "listener", {
      timeoutMs: 10_000,
      signal: supervisor.signal,
    });
    listenerMessage.catch(ignore);
    await apiChannel.send({ kind: "hand over" });
    ({ handle: listener } = await listenerMessage);
    if (listener === undefined) throw new Error("the running version gave no socket");
    giver = apiChannel;
    publicPort.lend(returned.promise);
    await channel?.send({ kind: "listener" }, listener);
  }

  /** Undoes the switch in the database, if there was one, as soon as that answers: until then the stream would stand still. */
  async function undoSwitch(adoption: Adoption): Promise<void> {
    for (let isFirst = true; isFirst || !supervisor.signal.aborted; isFirst = false) {
      const problem = await switchBack(url, adoption).then(() => undefined, reasonOf);
      if (problem === undefined) return;
      const text = `the switch is undone as soon as the database allows it (${problem})`;
      if (isFirst) {
        log(`upgrade: ${text}`, "warn");
        answer({ kind: "line", text });
      }
      await pause(retryMs, supervisor.signal);
    }
  }

  try {
    await Promise.race([switched.promise, failed.promise]);
  } catch (error) {
    stopListening();
    await child.stop({ timeoutMs: 8_000 });
    supervisor.dismiss(child);
    // The socket may be on its way to us.
    await handing?.catch(ignore);
    if (listener !== undefined) {
      // Until then, new connections wait in the socket's queue. An API that has started since opens the port anew.
      if (indexer.channel() === giver) await giver?.send({ kind: "listener" }, listener).catch(ignore);
      listener.close();
    }
    returned.resolve();
    if (nextSchema !== undefined) await undoSwitch({ from: schema, to: nextSchema });
    if (!supervisor.signal.aborted) return failure(error);
    return { kind: "failed", text: "npm start was stopped during the upgrade" };
  } finally {
    limits.clear();
  }

  isSwitched = true;
  stopListening();
  indexer.disableRestart();
  supervisor.dismiss(indexer);
  guest.keep();
  onSwitched();
  listener?.close();
  void retire(running, channel).catch((error: unknown) => log(`upgrade: ${error}`));
  return { kind: "done", text: `the version in ${folder} serves, from the schema ${nextSchema}` };
}

/** Calls `onLate` if a new version doesn't begin to index, gives no sign of life any more or doesn't switch for too long. */
function limitWaits(onLate: (reason: string) => void) {
  const limit = (ms: number, what: string) =>
    setTimeout(() => onLate(`the new version ${what} ${ms / 1_000} s`), ms);
  const begin = limit(maxBeginMs, "has not begun to index within");
  let silence: NodeJS.Timeout | undefined;
  let switching: NodeJS.Timeout | undefined;
  return {
    alive() {
      silence ??= limit(maxSilentMs, "has given no sign of life for");
      silence.refresh();
    },
    begun: () => clearTimeout(begin),
    switching() {
      switching = limit(maxSwitchMs, "did not switch within");
    },
    clear() {
      for (const timer of [begin, silence, switching]) clearTimeout(timer);
    },
  };
}

function failure(error: unknown): UpgradeAnswer {
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: "failed", text: `${reason} (the previous version keeps running)` };
}

/** Why the new version has ended: which process was killed or crashed, or else its last line, which is the reason for a failed start. */
export function describeEnd({ code, signal }: Exit, lines: string[]): string {
  if (signal !== null) {
    const hint = signal === "SIGKILL" ? " (if nobody did that, the machine may have run out of memory)" : "";
    return `the new version was killed by the signal ${signal}${hint}`;
  }
  const crash = lines.findLast((line) => line.includes(" ended unexpectedly ("));
  // Node's report of an uncaught error ends with a stack and its own version.
  const isReport = lines.at(-1)?.startsWith("Node.js v");
  const uncaught = isReport ? lines.findLast((line) => /^\w*Error\b/.test(line)) : undefined;
  return crash ?? uncaught ?? lines.at(-1) ?? `the new version ended with exit code ${code}`;
}

/** Passes our clients on to the new version, and ends our Ponder process once it has none left. */
async function retire(
  { indexer, supervisor, leaveSchema }: RunningVersion,
  successor: Channel,
): Promise<void> {
  const apiChannel = indexer.channel();
  if (apiChannel !== undefined) {
    const retired = nextMessage(apiChannel, "retired", { timeoutMs: maxRetireMs, signal: supervisor.signal });
    forwardSockets(apiChannel, successor);
    // An API that has ended has answered its last request, which is all that was asked of it.
    await apiChannel.send({ kind: "retire" }).catch(ignore);
    await Promise.race([retired.catch(ignore), indexer.exited]);
  }
  await successor.send({ kind: "retired" });
  await indexer.stop();
  leaveSchema();
  collectGarbage();
}
