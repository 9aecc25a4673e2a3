import type { Log } from "../../../chain-access/sources/log.ts";
import type { ForeignLogs } from "./foreign-logs.ts";
import { type Answer, type Call, logFilterOf } from "./json-rpc.ts";
import type { AskOne } from "./lag.ts";
import type { EndpointSettings } from "./settings.ts";

export type Change = (answer: Answer) => Answer | Promise<Answer>;

type Context = { settings: EndpointSettings; head: number; foreignLogs: ForeignLogs; ask: AskOne };

const asksForBlock = /^eth_getBlockBy(Number|Hash)$/;

/** Returns how the endpoint changes the node's answer. Undefined: it streams the answer through unread, however large it is. */
export function planChange(call: Call, { settings, head, foreignLogs, ask }: Context): Change | undefined {
  const change = changeOf(call, settings, head);
  if (settings.foreignLogs === 0) return change;
  const filter = logFilterOf(call);
  const isFilled = filter === undefined ? asksForBlock.test(call.method) : foreignLogs.isSelected(filter);
  if (!isFilled) return change;
  return async (answer) => {
    if (answer.result === undefined) return answer;
    const result =
      filter === undefined
        ? await foreignLogs.addToBlock(answer.result, call.params?.[1] === true, ask)
        : await foreignLogs.addToLogs(answer.result, filter, ask);
    return (await change?.({ ...answer, result })) ?? { ...answer, result };
  };
}

function changeOf(call: Call, settings: EndpointSettings, head: number): Change | undefined {
  if (call.method === "eth_getLogs") return changeOfLogs(call, settings);
  if (asksForBlock.test(call.method) && settings.nullBlocks) {
    return (answer) => ({ ...answer, result: null });
  }
  if (asksForBlock.test(call.method) && settings.addedSeconds > 0) {
    return (answer) => ({ ...answer, result: later(answer.result, settings.addedSeconds) });
  }
  if (
    /^eth_get(Block|Transaction)ByHash$|^eth_getTransactionReceipt$/.test(call.method) &&
    settings.lag > 0
  ) {
    return (answer) => (blockNumberOf(answer.result) > head ? { ...answer, result: null } : answer);
  }
  return undefined;
}

function changeOfLogs(call: Call, settings: EndpointSettings): Change | undefined {
  const { emptyLogs, results, truncatedAt, blockTimestamps, logsFrom, losesLog, repeatsLogs } = settings;
  const { blockHash, fromBlock, toBlock } = logFilterOf(call) ?? {};
  const isOfOneBlock = blockHash !== undefined || fromBlock === toBlock;
  if (emptyLogs === "always" || (emptyLogs === "of single blocks" && isOfOneBlock)) {
    return (answer) => ({ ...answer, result: [] });
  }
  const isWhole =
    Math.min(results, truncatedAt) === Number.POSITIVE_INFINITY &&
    logsFrom === 0 &&
    losesLog === undefined &&
    !repeatsLogs;
  if (isWhole && blockTimestamps === true) return undefined;
  return (answer) => {
    if (!Array.isArray(answer.result)) return answer;
    const known = (answer.result as Log[]).filter(
      (log) => Number(log.blockNumber) >= logsFrom && !losesLog?.(log, isOfOneBlock),
    );
    const logs = repeatsLogs ? known.flatMap((log) => [log, log]) : known;
    if (logs.length > results) {
      const error = { code: -32005, message: `query returned more than ${results} results` };
      return { jsonrpc: "2.0", id: answer.id, error };
    }
    const result = logs.slice(0, truncatedAt);
    if (blockTimestamps === true) return { ...answer, result };
    return { ...answer, result: result.map(blockTimestamps ? inMilliseconds : withoutTimestamp) };
  };
}

const withoutTimestamp = ({ blockTimestamp: _, ...log }: Log) => log;

const inMilliseconds = (log: Log) => ({
  ...log,
  blockTimestamp: `0x${(1_000 * Number(log.blockTimestamp)).toString(16)}`,
});

function later(block: unknown, seconds: number): unknown {
  const { timestamp } = (block ?? {}) as { timestamp?: string };
  if (timestamp === undefined) return block;
  return { ...(block as object), timestamp: `0x${(Number(timestamp) + seconds).toString(16)}` };
}

/** The number of a block, or of the block that contains a transaction or log; NaN if there is none. */
function blockNumberOf(result: unknown): number {
  const { number, blockNumber } = (result ?? {}) as { number?: string; blockNumber?: string };
  return Number(number ?? blockNumber ?? Number.NaN);
}
