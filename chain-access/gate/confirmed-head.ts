import { setTimeout as delay } from "node:timers/promises";
import { ignore } from "../../config/async.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault, wrong } from "../endpoint/fault.ts";
import { isHex } from "../hex.ts";
import { type Header, headerByNumber, readHeader } from "../live/block.ts";
import { type Anchor, finalityBlocks, findAnchor } from "../pool/anchor.ts";

/** Milliseconds that slower endpoints have once the first has answered. */
const graceMs = 250;
/** Milliseconds before all are asked again, and before they are if all of them are still syncing. */
const retryMs = 200;
const syncingMs = 3_000;
/** Seconds since an endpoint's newest block after which the endpoint counts as stuck if another one is far ahead. */
const stuckSeconds = 300;
/** Blocks that any chain takes at least to make one final. */
const minFinalityBlocks = 2;

type HeadOptions = {
  /** The block at which indexing starts. Default: 0. */
  startBlock?: number;
  /** Called when an endpoint that is far ahead of the others was asked for the block that it says is its head. */
  onHeadChecked?: (endpoint: Endpoint, hasIt: boolean) => void;
};

/**
 * The highest head that a second endpoint is at or beyond, since one may report any number; with only one endpoint, its own. If all
 * others are stuck, it is that of the one that is not. Endpoints that fail don't count unless all do, nor do those below the block at
 * which indexing starts, which are still syncing. Undefined if none is left.
 */
async function confirmedHead(
  endpoints: readonly Endpoint[],
  { startBlock = 0, onHeadChecked = ignore }: HeadOptions,
): Promise<number | undefined> {
  const isTrue = async (endpoint: Endpoint): Promise<boolean> => {
    const header = await readItsHead(endpoint);
    if (header === undefined) return false;
    endpoint.noteHead(header !== null);
    onHeadChecked(endpoint, header !== null);
    return header !== null;
  };
  const answering = endpoints.filter(({ head }) => head !== undefined);
  const healthy = answering.filter(({ isHealthy }) => isHealthy);
  const reporting = healthy.length > 0 ? healthy : answering;
  const able = reporting
    .filter(({ head }) => (head as number) >= startBlock)
    .sort((a, b) => (b.head as number) - (a.head as number));
  const [only, another] = able;
  if (only !== undefined && another === undefined)
    return reporting.length === 1 || (await isTrue(only)) ? only.head : undefined;
  for (const [index, first] of able.entries()) {
    const second = able[index + 1];
    if (second === undefined) return first.head;
    const isFarAhead = (first.head as number) - (second.head as number) > finalityBlocks;
    if (!isFarAhead) return second.head;
    // Far ahead of two that are up to date there can be no block.
    const isOfThree = index + 2 < able.length;
    if (isOfThree && !(await isStuck(second))) return second.head;
    if (await isTrue(first)) return first.head;
  }
  return undefined;
}

/** Whether an endpoint's newest block is old. */
async function isStuck(endpoint: Endpoint): Promise<boolean> {
  const header = await readItsHead(endpoint);
  return header != null && Date.now() / 1_000 - Number(header.timestamp) > stuckSeconds;
}

/**
 * Reads the block that an endpoint says is its head, also from one that has to be waited for: there may be no other. Null if it doesn't
 * have it, or answers with something else; undefined if it doesn't answer.
 */
async function readItsHead(endpoint: Endpoint): Promise<Header | null | undefined> {
  const { head: number = 0 } = endpoint;
  endpoint.reserve(1);
  const [answer] = await endpoint.send([headerByNumber(number)]).catch(() => [undefined]);
  if (answer === undefined || answer instanceof EndpointFault) return undefined;
  try {
    return readHeader(answer, { number });
  } catch {
    return null;
  }
}

/**
 * Asks all endpoints for their heads at once, and notes them in `endpoint.head`.
 *
 * @returns the {@link confirmedHead}
 */
export async function readHeads(
  endpoints: readonly Endpoint[],
  options: HeadOptions = {},
): Promise<number | undefined> {
  const ours = endpoints.filter(({ excluded }) => excluded === undefined);
  const answers = ours.map(readHead);
  const all = Promise.allSettled(answers);
  // If all failed, there are no slower answers to wait for.
  await Promise.race([all, Promise.any(answers).then(() => delay(graceMs), ignore)]);
  return await confirmedHead(ours, options);
}

/**
 * Waits for the {@link confirmedHead}.
 *
 * @param onSyncing called with the highest head whenever no endpoint has reached the start block
 */
export async function waitForHead(
  endpoints: readonly Endpoint[],
  onSyncing: (head: number) => void,
  options: HeadOptions & { startBlock: number },
): Promise<number> {
  const { startBlock } = options;
  for (;;) {
    const head = await readHeads(endpoints, options);
    if (head !== undefined) return head;
    const heads = endpoints.flatMap(({ head, excluded }) => (excluded === undefined ? (head ?? []) : []));
    const isSyncing = heads.length > 0 && Math.max(...heads) < startBlock;
    if (isSyncing) onSyncing(Math.max(...heads));
    await delay(isSyncing ? syncingMs : retryMs);
  }
}

/**
 * Finds the last final block, or a later one, and its hash at most endpoints. Nothing may be stored above it.
 *
 * @param head the {@link confirmedHead}
 * @param stored the last one of the chain that is indexed, which this one has to follow
 * @throws Error if no endpoint has it, or if they disagree
 */
export async function findFinal(
  endpoints: readonly Endpoint[],
  head: number,
  atLeast: number,
  stored: Anchor | undefined,
): Promise<Anchor> {
  const number = Math.max(0, atLeast, head - finalityBlocks);
  const ours = endpoints.filter(({ excluded }) => excluded === undefined);
  const after = stored !== undefined && stored.number <= number ? stored : undefined;
  const final = number > head ? undefined : await findAnchor(ours, number, after);
  if (final === undefined) {
    const beginning = after === undefined ? "" : ` after block ${after.number} as it is indexed`;
    throw new Error(`no endpoint has block ${number}${beginning} yet`);
  }
  return final;
}

/**
 * Asks all endpoints for the last block that the chain itself calls final. Of several answers, the second highest counts. Undefined
 * if it is older than {@link finalityBlocks}, as with endpoints that don't keep it up to date, or too new to be true.
 */
export async function readFinalized(endpoints: readonly Endpoint[]): Promise<Anchor | undefined> {
  const head = await readHeads(endpoints);
  const ours = endpoints.filter(({ excluded }) => excluded === undefined);
  if (head === undefined) return undefined;
  const answers = await Promise.all(ours.map(readTag));
  const finalized = answers.flatMap((answer) => answer ?? []).sort((a, b) => b.number - a.number);
  const counted = finalized[ours.length > 1 ? 1 : 0];
  const depth = head - (counted?.number ?? Number.NEGATIVE_INFINITY);
  return depth >= minFinalityBlocks && depth <= finalityBlocks ? counted : undefined;
}

/** Resolves to undefined if the endpoint fails, may not be asked now, or doesn't serve the tag. Then it isn't asked again. */
async function readTag(endpoint: Endpoint): Promise<Anchor | undefined> {
  if (withoutTag.has(endpoint) || endpoint.waitFor(1) > graceMs) return undefined;
  endpoint.reserve(1);
  const call = { method: "eth_getBlockByNumber", params: ["finalized", false] };
  const answers = await endpoint.send([call]).catch(() => undefined);
  if (answers === undefined) return undefined;
  const [answer] = answers;
  // It may serve the tag when it takes requests again.
  if (answer instanceof EndpointFault && answer.kind === "rate") return undefined;
  try {
    const { number, hash } = readHeader(answer);
    return { number: Number(number), hash };
  } catch {
    withoutTag.add(endpoint);
    return undefined;
  }
}

/** Endpoints that don't serve the tag `finalized`. The errors that they answer would make them count as failing. */
const withoutTag = new WeakSet<Endpoint>();

async function readHead(endpoint: Endpoint): Promise<void> {
  if (endpoint.waitFor(1) > 0) throw new EndpointFault("rate", "not now");
  endpoint.reserve(1);
  const [answer] = await endpoint.send([{ method: "eth_blockNumber", params: [] }]);
  if (answer instanceof EndpointFault) throw answer;
  const head = isHex(answer) ? Number(answer) : Number.NaN;
  if (!Number.isSafeInteger(head)) {
    const fault = wrong("a head that is no number");
    endpoint.reportInvalidAnswer(fault);
    throw fault;
  }
  endpoint.head = head;
}
