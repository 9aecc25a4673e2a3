import { chunk } from "../chunk.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { numberToHex } from "../hex.ts";
import type { Pool } from "../pool/pool.ts";
import { checkLogs, type Log, type LogFilter, type Range, sizeOf } from "../sources/log.ts";
import { createSecondOpinion } from "./second-opinion.ts";
import { createVouch } from "./vouch.ts";

export type LogReader = {
  /** All logs of a filter in a range. */
  read: (filter: LogFilter, range: Range) => Promise<Log[]>;
  /** Told of a range whose logs turned out to be incomplete: answers as long as those to it are asked for again in halves. */
  distrust: (range: Range) => void;
};

/** Of a request, as long as no endpoint says otherwise. */
const mostAddresses = 1_000;
const mostBlocks = 1_000_000;
/** No node cuts its answers shorter than this. */
const fewestToCut = 100;
const mostRemembered = 1_000;

/**
 * Reads logs through a pool, whatever limits its endpoints have: what is too much for all of them is asked for in parts, and
 * what one of them has cut short without a word is found out. Some answers are compared with another endpoint's.
 */
export function createLogReader(pool: Pool, secondOpinionShare?: number): LogReader {
  /** The number of logs at which an endpoint was found to cut its answers. */
  const cutAt = new WeakMap<Endpoint, number>();
  /** The most logs of an endpoint's answer that was found to be complete. */
  const mostComplete = new WeakMap<Endpoint, number>();
  const vouch = createVouch(pool);
  const secondOpinion = createSecondOpinion(pool, secondOpinionShare);
  /** The longest answers lately. */
  const longest: { endpoint: Endpoint; range: Range; count: number }[] = [];

  /** What the endpoint takes that takes the most at once. */
  const widest = () =>
    pool.endpoints
      .map(({ limits }) => ({
        blocks: Math.min(mostBlocks, limits.blocks),
        addresses: Math.min(mostAddresses, limits.addresses),
      }))
      .reduce((best, other) =>
        other.blocks * other.addresses > best.blocks * best.addresses ? other : best,
      );

  async function read(filter: LogFilter, range: Range): Promise<Log[]> {
    const { addresses, blocks } = widest();
    if (filter.addresses !== undefined && filter.addresses.length > addresses) {
      const parts = chunk(filter.addresses, addresses);
      return await all(parts.map((part) => read({ ...filter, addresses: part }, range)));
    }
    if (sizeOf(range) > blocks) return await all(split(range, blocks).map((part) => read(filter, part)));
    try {
      return await ask(filter, range);
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      // Another answers next, or the same once it has recovered.
      if (error.kind === "wrong" || error.kind === "timeout") return await read(filter, range);
      // The endpoint has been found to take less: split anew.
      if (
        error.kind === "unfit" ||
        error.kind === "addresses" ||
        (error.kind === "range" && sizeOf(range) > 1)
      )
        return await read(filter, range);
      if (error.kind === "results" && sizeOf(range) > 1) return await inHalves(filter, range);
      throw error;
    }
  }

  /** One request to one endpoint. */
  async function ask(filter: LogFilter, range: Range): Promise<Log[]> {
    const { addresses, topics } = filter;
    const size = sizeOf(range);
    const count = addresses?.length ?? 0;
    const params = [
      {
        ...(addresses === undefined ? {} : { address: addresses }),
        topics: [topics],
        fromBlock: numberToHex(range.from),
        toBlock: numberToHex(range.to),
      },
    ];
    const call = { method: "eth_getLogs", params };
    const canAsk = ({ limits }: Endpoint) => limits.blocks >= size && limits.addresses >= count;
    const check = (answer: unknown) => void checkLogs(answer, filter, range);
    let asked: Endpoint | undefined;
    let askedAt = 0;
    try {
      const { results, endpoint } = await pool.send([call], {
        priority: range.from,
        block: range.to,
        canAsk,
        onSend: (endpoint) => {
          asked = endpoint;
          askedAt = performance.now();
        },
        check: ([answer]) => check(answer),
      });
      const first = { logs: results[0] as Log[], endpoint };
      const logs = await secondOpinion({ call, range, canAsk, check }, first);
      remember(endpoint, range, logs.length);
      if (logs.length > 0) vouch.foundLogs(endpoint, range, askedAt);
      else if (!vouch.isBelieved(endpoint, range, askedAt)) {
        await vouch.check(endpoint, range);
        return await ask(filter, range);
      }
      if (size === 1) return logs;
      if (isSuspicious(logs.length, endpoint)) return await askAgain(filter, range, logs, endpoint);
      return isLongest(logs.length, endpoint) ? await withTail(filter, range, logs, endpoint) : logs;
    } catch (error) {
      if (error instanceof EndpointFault && asked !== undefined) learn(asked, error, size, count);
      throw error;
    }
  }

  /** Nodes that cut their answers do so at a round number, mostly. */
  const isSuspicious = (count: number, endpoint: Endpoint) =>
    count > 0 && (count % 1_000 === 0 || count >= (cutAt.get(endpoint) ?? Number.POSITIVE_INFINITY));

  async function askAgain(filter: LogFilter, range: Range, logs: Log[], endpoint: Endpoint): Promise<Log[]> {
    const again = await inHalves(filter, range);
    if (again.length > logs.length) lowerCut(endpoint, logs.length);
    return again;
  }

  /** An endpoint that cuts its answers always does so at the same number, and so at the most that it has ever answered with. */
  const isLongest = (count: number, endpoint: Endpoint) =>
    count >= Math.max(fewestToCut, mostComplete.get(endpoint) ?? 0);

  /** Asks again for the blocks from the last one on that an answer has logs of, and adds what it lacked. */
  async function withTail(filter: LogFilter, range: Range, logs: Log[], endpoint: Endpoint): Promise<Log[]> {
    const last = logs.reduce((highest, { blockNumber }) => Math.max(highest, Number(blockNumber)), 0);
    if (last === range.from) return await askAgain(filter, range, logs, endpoint);
    const tail = await read(filter, { from: last, to: range.to });
    const before = logs.filter(({ blockNumber }) => Number(blockNumber) < last);
    if (before.length + tail.length > logs.length) {
      lowerCut(endpoint, logs.length);
      return [...before, ...tail];
    }
    mostComplete.set(endpoint, Math.max(logs.length, mostComplete.get(endpoint) ?? 0));
    return logs;
  }

  function lowerCut(endpoint: Endpoint, count: number): void {
    cutAt.set(endpoint, Math.min(count, cutAt.get(endpoint) ?? Number.POSITIVE_INFINITY));
  }

  function remember(endpoint: Endpoint, range: Range, count: number): void {
    if (count < fewestToCut) return;
    longest.push({ endpoint, range, count });
    if (longest.length > mostRemembered) longest.shift();
  }

  const inHalves = async (filter: LogFilter, range: Range): Promise<Log[]> =>
    await all(split(range, Math.ceil(sizeOf(range) / 2)).map((part) => read(filter, part)));

  return {
    read,
    distrust({ from, to }) {
      for (const { endpoint, range, count } of longest) {
        if (range.from <= to && range.to >= from) lowerCut(endpoint, count);
      }
    },
  };
}

/** Learns a limit from a fault: what the endpoint named, or half of what was asked. */
function learn(
  { limits }: Endpoint,
  { kind, limit }: EndpointFault,
  blocks: number,
  addresses: number,
): void {
  const lower = (asked: number) =>
    limit !== undefined && limit < asked ? limit : Math.max(1, Math.floor(asked / 2));
  if (kind === "range") limits.blocks = Math.min(limits.blocks, lower(blocks));
  if (kind === "addresses") limits.addresses = Math.min(limits.addresses, lower(addresses));
}

function split({ from, to }: Range, size: number): Range[] {
  const parts: Range[] = [];
  for (let start = from; start <= to; start += size) {
    parts.push({ from: start, to: Math.min(to, start + size - 1) });
  }
  return parts;
}

async function all(parts: Promise<Log[]>[]): Promise<Log[]> {
  const found = await Promise.all(parts);
  return found.flat();
}
