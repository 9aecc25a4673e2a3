import { setTimeout as delay } from "node:timers/promises";
import { ignore, waitUntil } from "../../config/async.ts";
import { isTransientDatabaseError, reasonOf } from "../../config/error-code.ts";
import { onConnection } from "../../offchain/connection.ts";
import { freezeIndex, reachesPosition, readIndexPosition } from "../ponder/indexed-schemas.ts";
import { type Channel, forwardSockets, nextMessage } from "../process/channel.ts";
import type { RestartingProcess } from "../process/child-process.ts";
import { StartError } from "../start-error.ts";
import type { Predecessor } from "./predecessor.ts";
import { prepareSwitch, switchSchema } from "./publish-schema.ts";
import { waitUntilReady } from "./wait-until-ready.ts";

export type TakeOverOptions = {
  indexer: RestartingProcess;
  predecessor: Predecessor;
  /** The database, and this version's schema in it. */
  url: string;
  schema: string;
  signal: AbortSignal;
  log: (line: string) => void;
  /** What our indexer last logged of the history that it reads. */
  readHistory: () => string;
  /** Called once this version has the listening socket. */
  onSwitched: () => void;
};

/** How long Postgres may take to answer a question that costs it nothing. */
const answerMs = 30_000;
/** How long the running version may be frozen at one block before the switch. */
const maxFreezeMs = 10_000;
/** How often the journal's copy is begun, should the database go away meanwhile. What is copied stays. */
const maxCopies = 3;
/** How long each step of the switch may take. */
const maxStepMs = 20_000;
/** How long it stays frozen after the switch, to finish its requests. Then requests that wait for a block (minBlock) get it. */
const drainMs = 1_000;

/**
 * Replaces the running version once this one has caught up: first switches the schema and the journal in the database, then
 * takes over the listening socket. The running version is frozen meanwhile, so that no client sees older data than before.
 * Throws on failure; the running version then continues.
 */
export async function takeOver(options: TakeOverOptions): Promise<void> {
  const { indexer, predecessor, url, schema, signal, log, readHistory, onSwitched } = options;
  const { channel } = predecessor;
  await channel.send({ kind: "schema", schema });
  const apiUrl = watchPrivatePort(indexer);
  const adoption = { from: predecessor.schema, to: schema };
  let settled: string | undefined;
  for (let attempt = 1; settled === undefined; attempt++) {
    await waitUntilReady({
      apiUrl,
      readPositions: () => readPositions(options),
      readHistory,
      lastLine: () => indexer.lastLines?.().at(-1),
      signal,
      log,
    });
    log("the new version has caught up: copying the stream's journal");
    settled = await prepareSwitch(url, adoption, log).catch((error: unknown) => {
      if (attempt === maxCopies || !isTransientDatabaseError(error)) throw error;
      log(`the database went away during the copy (${reasonOf(error)}): trying again`);
      return undefined;
    });
  }

  await channel.send({ kind: "switching" });
  await onConnection(url, async (frozen) => {
    await freezeIndex(frozen, predecessor.schema);
    const frozenAt = performance.now();
    if (!(await waitUntil(() => isCaughtUp(options), { forMs: maxFreezeMs, signal })))
      throw new StartError("the new version did not catch up with the last block in time: try again");
    const areViewsSwitched = await switchSchema(url, { ...adoption, settled });

    const apiChannel = indexer.channel();
    if (apiChannel === undefined) throw new StartError("the new version's API is gone");
    // Stays on from here: no socket that comes through this process may be lost.
    forwardSockets(channel, apiChannel);
    const accepting = nextMessage(apiChannel, "accepting", { timeoutMs: maxStepMs, signal });
    const retired = nextMessage(channel, "retired", { timeoutMs: maxStepMs + drainMs, signal });
    // Whichever failure comes first is reported where it is awaited.
    for (const answer of [accepting, retired]) answer.catch(ignore);
    await channel.send({ kind: "hand over" });
    await accepting;
    onSwitched();
    await channel.send({ kind: "accepting" });
    const milliseconds = Math.round(performance.now() - frozenAt);
    log(`switched: connections and new blocks waited for at most ${milliseconds} ms`);
    if (!areViewsSwitched) log("the views for analysts will be switched within seconds");
    // After an error, the old version has exited, or this process is about to end: neither changes what comes next.
    await Promise.race([retired, delay(drainMs, undefined, { signal })]).catch(ignore);
  });
}

async function isCaughtUp(options: TakeOverOptions): Promise<boolean> {
  const { next, running } = await readPositions(options);
  return reachesPosition(next, running);
}

const readPositions = ({ url, schema, predecessor }: TakeOverOptions) =>
  onConnection(
    url,
    async (client) => ({
      next: await readIndexPosition(client, schema),
      running: await readIndexPosition(client, predecessor.schema),
    }),
    { answerMs },
  );

/** Follows where the API of the present process of an indexer listens until the switch. */
function watchPrivatePort(indexer: RestartingProcess): () => string | undefined {
  let port: unknown;
  let listening: Channel | undefined;
  return () => {
    // A restarted process has a new channel.
    const channel = indexer.channel();
    if (channel !== listening) {
      listening = channel;
      port = undefined;
      channel?.listen((message) => {
        if (message.kind === "private" && channel === listening) port = message.port;
      });
    }
    return port === undefined ? undefined : `http://127.0.0.1:${port}`;
  };
}
