import { EndpointFault } from "../endpoint/fault.ts";
import type { LogReader } from "../history/read-logs.ts";
import { createSecondOpinion, Disagreement, findDifference } from "../history/second-opinion.ts";
import type { Pool } from "../pool/pool.ts";
import { checkLogs, type Hex, type Log, type LogFilter, type Range } from "../sources/log.ts";
import { createChainCheck, type Portal } from "./portal.ts";

/** The share of the portal's answers that are compared with the RPC endpoints'. */
const defaultShare = 0.01;
/** Milliseconds between comparisons of answers without logs, which a portal that lacks the logs would give too. */
const compareEmptyMs = 60_000;
const maxRemembered = 100;

export type PortalLogsDeps = {
  portal: Portal;
  /** Reads logs from the RPC endpoints instead. */
  rpc: LogReader;
  pool: Pool;
  /** Logs a line unless there was one about the same subject recently. */
  logThrottled: (subject: string, what: string) => void;
  share?: number | undefined;
};

/** Reads logs from a portal, falling back to the RPC endpoints if it does not answer, or answers wrongly. */
export function createPortalLogs({
  portal,
  rpc,
  pool,
  logThrottled,
  share = defaultShare,
}: PortalLogsDeps): LogReader {
  const checkChain = createChainCheck(pool, portal);
  const decide = createSecondOpinion(pool, 1);
  const distrusted: Range[] = [];
  let emptyComparedAt = Number.NEGATIVE_INFINITY;

  const isDistrusted = (range: Range) =>
    distrusted.some(({ from, to }) => from <= range.to && to >= range.from);

  /** Asks the portal. Returns undefined if it has no plausible answer. */
  async function ask(filter: LogFilter, range: Range): Promise<Log[] | undefined> {
    try {
      const { logs, last } = await portal.read(filter, range);
      checkLogs(logs, filter, range);
      await checkChain(last);
      portal.succeeded();
      return logs;
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      portal.failed(error);
      return undefined;
    }
  }

  function shouldCompare(logs: readonly Log[]): boolean {
    if (Math.random() < share) return true;
    if (logs.length > 0 || performance.now() - emptyComparedAt < compareEmptyMs) return false;
    emptyComparedAt = performance.now();
    return true;
  }

  /**
   * Compares the portal's logs with the RPC endpoints' and returns the right ones. If they differ, two endpoints decide about one
   * contract in one block.
   */
  async function compareWithRpc(filter: LogFilter, range: Range, logs: Log[]): Promise<Log[]> {
    const others = await rpc.read(filter, range);
    const disputed = findDifference(logs, others);
    if (disputed === undefined) return logs;
    return (await isRight(disputed, filter, logs)) ? logs : others;
  }

  async function isRight(disputed: Log, { topics }: LogFilter, logs: Log[]): Promise<boolean> {
    const { blockNumber } = disputed;
    const address = disputed.address.toLowerCase() as Hex;
    const filter = { addresses: [address], topics };
    const range = { from: Number(blockNumber), to: Number(blockNumber) };
    const ofPortal = logs.filter((log) => log.blockNumber === blockNumber && log.address === address);
    const call = {
      method: "eth_getLogs",
      params: [{ address: [address], topics: [topics], fromBlock: blockNumber, toBlock: blockNumber }],
    };
    const read = ([answer]: readonly unknown[]) => checkLogs(answer, filter, range);
    try {
      const asked = { calls: [call], range, canAsk: () => true, read };
      const decided = await decide(asked, { logs: ofPortal, endpoint: portal });
      return findDifference(ofPortal, decided) === undefined;
    } catch (error) {
      if (!(error instanceof Disagreement)) throw error;
      portal.failed(new EndpointFault("wrong", `other logs of block ${range.from} than an RPC endpoint`));
      return false;
    }
  }

  return {
    setFinal: rpc.setFinal,

    async read(filter, range) {
      const logs = portal.isWorthAsking(range) && !isDistrusted(range) ? await ask(filter, range) : undefined;
      if (logs === undefined) return await rpc.read(filter, range);
      return shouldCompare(logs) ? await compareWithRpc(filter, range, logs) : logs;
    },

    /** It is not known who was wrong, so the portal is still asked for other ranges. */
    distrust(range) {
      if (!isDistrusted(range)) {
        const what = `events of blocks ${range.from} to ${range.to} don't fit together. They are read from the RPC endpoints`;
        logThrottled("portal:", what);
      }
      distrusted.push(range);
      if (distrusted.length > maxRemembered) distrusted.shift();
      rpc.distrust(range);
    },
  };
}
