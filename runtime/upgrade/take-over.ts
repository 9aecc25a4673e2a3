import { setTimeout as delay } from "node:timers/promises";
import { onConnection } from "../../offchain/connection.ts";
import { freezeIndex, reachesPosition, readIndexPosition } from "../ponder/index-position.ts";
import { type Channel, nextMessage } from "../process/channel.ts";
import type { KeptRunning } from "../process/keep-running.ts";
import { StartError } from "../start-error.ts";
import type { Predecessor } from "./predecessor.ts";
import { prepareSwitch, switchSchema } from "./publish-schema.ts";

export type TakeOverOptions = {
  indexer: KeptRunning;
  predecessor: Predecessor;
  /** The database, and this version's schema in it. */
  url: string;
  schema: string;
  signal: AbortSignal;
  log: (line: string) => void;
  /** Called when this version has the listening socket. */
  onSwitched: () => void;
};

const pollMs = 200;
const reportMs = 10_000;
/** How long the running version may be kept at one block. */
const mostFrozenMs = 10_000;
/** How long each step of the switch may take. */
const stepMs = 20_000;
/** How long the running version stands still for what it has under way. Then requests that wait for a block (minBlock) get it. */
const standingMs = 1_000;

/**
 * Takes the place of the running version, once this one has indexed as much: first the schema and the journal in the database,
 * then the listening socket. The running version stands still meanwhile, so that no client finds less than it has seen.
 * Throws where that fails; the running version then goes on.
 */
export async function takeOver(options: TakeOverOptions): Promise<void> {
  const { indexer, predecessor, url, schema, signal, log, onSwitched } = options;
  const { channel } = predecessor;
  await channel.send({ kind: "schema", schema });
  await untilReady(options);
  log("the new version has caught up: copying the stream's journal");
  const adoption = { from: predecessor.schema, to: schema };
  const settled = await prepareSwitch(url, adoption, log);

  await onConnection(url, async (frozen) => {
    await freezeIndex(frozen, predecessor.schema);
    const frozenAt = performance.now();
    await untilAsFar(options, mostFrozenMs);
    const areViewsSwitched = await switchSchema(url, { ...adoption, settled });

    const own = indexer.channel();
    if (own === undefined) throw new StartError("failed", "the new version's API is gone");
    // Kept up from here on: the sockets that come through this process must not be missed.
    passOn(channel, own);
    const accepting = nextMessage(own, "accepting", { timeoutMs: stepMs, signal });
    const retired = nextMessage(channel, "retired", { timeoutMs: stepMs + standingMs, signal });
    for (const answer of [accepting, retired]) answer.catch(leaveToWhoeverWaits);
    await channel.send({ kind: "hand over" });
    await accepting;
    onSwitched();
    await channel.send({ kind: "accepting" });
    const milliseconds = Math.round(performance.now() - frozenAt);
    log(`switched: connections and new blocks waited for at most ${milliseconds} ms`);
    if (!areViewsSwitched) log("the views for analysts follow within seconds");
    await Promise.race([retired, delay(standingMs, undefined, { signal })]).catch(isEndingAnyway);
  });
}

/** Passes the sockets of the running version on to our API. */
function passOn(from: Channel, to: Channel): void {
  from.listen((message, handle) => {
    if (handle === undefined) return;
    to.send(message, handle)
      .catch(itsExitSaysWhy)
      .then(() => handle.close());
  });
}

/** Resolves once our API is ready, and has what the running version has. */
async function untilReady(options: TakeOverOptions): Promise<void> {
  const { indexer, signal, log } = options;
  let port: unknown;
  let listening: Channel | undefined;
  let reportedAt = performance.now();
  for (;;) {
    signal.throwIfAborted();
    // Another one after each restart.
    const channel = indexer.channel();
    if (channel !== listening) {
      listening = channel;
      port = undefined;
      channel?.listen((message) => {
        if (message.kind === "private" && channel === listening) port = message.port;
      });
    }
    if (port !== undefined && (await isReady(`http://127.0.0.1:${port}`)) && (await isAsFar(options))) return;
    if (performance.now() - reportedAt > reportMs) {
      reportedAt = performance.now();
      log(`the new version is indexed up to ${await describePosition(options)}; the running one serves`);
    }
    await delay(pollMs, undefined, { signal });
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  // Read to its end, for the connection to be used again.
  await answer?.text().catch(() => "");
  return answer?.ok ?? false;
}

async function untilAsFar(options: TakeOverOptions, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isAsFar(options))) {
    if (performance.now() > deadline) {
      throw new StartError(
        "failed",
        "the new version did not catch up with the last block in time: try again",
      );
    }
    await delay(20, undefined, { signal: options.signal });
  }
}

async function isAsFar({ url, schema, predecessor }: TakeOverOptions): Promise<boolean> {
  return await onConnection(url, async (client) =>
    reachesPosition(
      await readIndexPosition(client, schema),
      await readIndexPosition(client, predecessor.schema),
    ),
  );
}

async function describePosition({ url, schema }: TakeOverOptions): Promise<string> {
  const position = await onConnection(url, (client) => readIndexPosition(client, schema));
  const parts = [...position].map(([chain, block]) => `block ${block} of chain ${chain}`);
  return parts.join(", ") || "nothing yet";
}

/** Whatever fails first is what is reported. */
const leaveToWhoeverWaits = () => {};
/** The old version says no more, or this process is to end: neither changes what comes next. */
const isEndingAnyway = () => {};
/** The clients are lost; what is to be said of that process, its exit says. */
const itsExitSaysWhy = () => {};
