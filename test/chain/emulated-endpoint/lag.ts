import { type Answer, answerTo, type Call, logFilterOf } from "./json-rpc.ts";

export type AskOne = (method: string, params: unknown[]) => Promise<unknown>;

const latest = new Set<unknown>(["latest", "pending"]);
const hex = (number: number) => `0x${number.toString(16)}`;

/**
 * Handles a call as an endpoint that knows no block after `head`: returns an answer, or the call to send to the node. Except for
 * logs, only the node's answer shows whether something that is requested by hash is too new.
 *
 * @param refusesFuture whether a range beyond the head is an error
 */
export async function answerAtHead(
  call: Call,
  { head, refusesFuture }: { head: number; refusesFuture: boolean },
  ask: AskOne,
): Promise<{ answer: Answer } | Call> {
  const { method, params = [] } = call;
  if (method === "eth_blockNumber") return { answer: answerTo(call, { result: hex(head) }) };
  if (method === "eth_getBlockByNumber" || method === "eth_getBlockReceipts") {
    if (latest.has(params[0])) return { ...call, params: [hex(head), ...params.slice(1)] };
    return Number(params[0]) > head ? { answer: answerTo(call, { result: null }) } : call;
  }
  const filter = logFilterOf(call);
  if (filter === undefined) return call;
  if (filter.blockHash !== undefined) {
    const block = (await ask("eth_getBlockByHash", [filter.blockHash, false])) as { number: string } | null;
    if (block !== null && Number(block.number) <= head) return call;
    return { answer: answerTo(call, { error: { code: -32000, message: "unknown block" } }) };
  }
  const bound = (block: unknown) => (block === undefined || latest.has(block) ? hex(head) : String(block));
  const [fromBlock, toBlock] = [bound(filter.fromBlock), bound(filter.toBlock)];
  if (refusesFuture && Number(toBlock) > head) {
    const error = { code: -32602, message: "block range extends beyond current head block" };
    return { answer: answerTo(call, { error }) };
  }
  if (Number(fromBlock) > head) return { answer: answerTo(call, { result: [] }) };
  const to = Number(toBlock) > head ? hex(head) : toBlock;
  return { ...call, params: [{ ...filter, fromBlock, toBlock: to }] };
}
