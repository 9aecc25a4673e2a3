import path from "node:path";
import type { Variables } from "../../config/variables.ts";
import type { RawHandle } from "../process/channel.ts";
import { nextMessage } from "../process/channel.ts";
import type { KeptRunning } from "../process/keep-running.ts";
import type { Supervisor } from "../process/supervisor.ts";
import { openControlSocket, type UpgradeAnswer, type UpgradeRequest } from "./control-socket.ts";
import { predecessorEnvironment } from "./predecessor.ts";
import { switchBack } from "./publish-schema.ts";

/** The running version, as an upgrade needs it. */
export type RunningVersion = {
  supervisor: Supervisor;
  indexer: KeptRunning;
  /** As this process was started, before it read `.env.local`. */
  environment: Variables;
  port: number;
  host: string | undefined;
  dataDir: string;
  url: string;
  readUrl: string | undefined;
  analystUrl: string | undefined;
  schema: string;
  log: (line: string) => void;
  /** Lets go of the schema, once nothing indexes into it any more. */
  leaveSchema: () => void;
};

const mostRetireMs = 30_000;

/** Waits for `npm run upgrade`, and has another version take the place of this one's Ponder. This process stays its parent. */
export async function offerUpgrades(running: RunningVersion): Promise<void> {
  const { supervisor, dataDir, log } = running;
  const closing = new AbortController();
  let isUpgrading = false;

  await openControlSocket(
    {
      dataDir,
      log,
      async onUpgrade(request, answer, gone) {
        if (isUpgrading) return answer({ kind: "failed", text: "another upgrade is under way" });
        isUpgrading = true;
        log(`upgrade: starting the version in ${request.folder}`);
        const result = await upgrade(running, request, answer, gone, () => closing.abort()).catch(failure);
        log(`upgrade: ${result.text}`);
        answer(result);
        isUpgrading = result.kind === "done";
      },
    },
    AbortSignal.any([supervisor.signal, closing.signal]),
  );
}

async function upgrade(
  running: RunningVersion,
  request: UpgradeRequest,
  answer: (answer: UpgradeAnswer) => void,
  gone: AbortSignal,
  onSwitched: () => void,
): Promise<UpgradeAnswer> {
  const { supervisor, indexer, environment, port, host, dataDir, url, schema, log } = running;
  const { readUrl = "", analystUrl = "" } = running;
  const { program, folder, to } = request;
  let isSwitched = false;
  const guest = supervisor.spawnGuest(
    "the new version",
    program,
    ["--import", path.join(folder, "runtime/node-version.mjs"), path.join(folder, "runtime/start.ts")],
    {
      cwd: folder,
      env: {
        ...environment,
        DATABASE_URL: url,
        DATABASE_READ_URL: readUrl,
        DATABASE_SQL_URL: analystUrl,
        DATA_DIR: path.resolve(dataDir),
        ...predecessorEnvironment({ schema, port, host, to }),
      },
      hasChannel: true,
      stopTimeoutMs: 8_000,
      onLine(line) {
        log(line);
        if (!isSwitched) answer({ kind: "line", text: line });
      },
    },
  );
  const { child } = guest;
  const { channel } = child;
  if (channel === undefined) throw new Error("Invariant(upgrade): a version without a channel");

  let next: string | undefined;
  let listener: RawHandle | undefined;
  const switched = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(leaveToWhoeverWaits);
  const stopListening = channel.listen((message) => {
    if (message.kind === "schema") next = String(message.schema);
    if (message.kind === "accepting") switched.resolve();
    if (message.kind === "hand over") handOver().catch(failed.reject);
  });
  void child.exited.then(() => failed.reject(new Error(child.lastLines().at(-1) ?? "the new version ended")));
  gone.addEventListener("abort", () => listener === undefined && failed.reject(new Error("cancelled")));

  async function handOver(): Promise<void> {
    const own = indexer.channel();
    if (own === undefined) throw new Error("the running version has no API to hand over");
    const given = nextMessage(own, "listener", { timeoutMs: 10_000, signal: supervisor.signal });
    given.catch(leaveToWhoeverWaits);
    await own.send({ kind: "hand over" });
    ({ handle: listener } = await given);
    if (listener === undefined) throw new Error("the running version gave no socket");
    await channel?.send({ kind: "listener" }, listener);
  }

  try {
    await Promise.race([switched.promise, failed.promise]);
  } catch (error) {
    stopListening();
    await child.stop({ timeoutMs: 8_000 });
    supervisor.dismiss(child);
    if (listener !== undefined) {
      // Clients that connect wait in its queue meanwhile.
      await indexer.channel()?.send({ kind: "listener" }, listener);
      listener.close();
    }
    if (next !== undefined) await switchBack(url, { from: schema, to: next });
    return failure(error);
  }

  isSwitched = true;
  stopListening();
  indexer.letEnd();
  supervisor.dismiss(indexer);
  guest.keep();
  onSwitched();
  listener?.close();
  void retire(running, channel.send).catch((error: unknown) => log(`upgrade: ${error}`));
  return { kind: "done", text: `the version in ${folder} serves, from the schema ${next}` };
}

function failure(error: unknown): UpgradeAnswer {
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: "failed", text: `${reason} (the version before goes on)` };
}

/** Passes our clients on to the new version, and ends our Ponder once it has none. */
async function retire(
  { indexer, supervisor, leaveSchema }: RunningVersion,
  send: NonNullable<ReturnType<KeptRunning["channel"]>>["send"],
): Promise<void> {
  const own = indexer.channel();
  if (own !== undefined) {
    const retired = nextMessage(own, "retired", { timeoutMs: mostRetireMs, signal: supervisor.signal });
    own.listen((message, handle) => {
      if (message.kind !== "connection" || handle === undefined) return;
      send(message, handle)
        .catch(newVersionIsGone)
        .then(() => handle.close());
    });
    await own.send({ kind: "retire" }).catch(oldApiIsGone);
    await Promise.race([retired.catch(oldApiIsGone), indexer.exited]);
  }
  await send({ kind: "retired" });
  await indexer.stop();
  leaveSchema();
}

/** Whatever fails first is what is reported. */
const leaveToWhoeverWaits = () => {};
/** Then this process is about to end, too. */
const newVersionIsGone = () => {};
/** The API has answered its last request, which is what it was asked for. */
const oldApiIsGone = () => {};
