import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { doubtOnce } from "../pool/doubt-once.ts";
import type { Log, LogFilter } from "../sources/log.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import { type Header, numberOf } from "./block.ts";
import { checkAllLogs, checkBlockLogs, wrong } from "./check-block.ts";
import type { Heads } from "./heads.ts";

export type SomeLogs = Partial<LogFilter> & {
  /** Must throw an EndpointFault of kind "wrong" for logs that can't be complete. */
  check?: (logs: readonly Log[], endpoint: Endpoint) => void;
  signal?: AbortSignal;
};

export type ReadBlockLogsOptions = {
  ask: Ask;
  heads: Heads;
};

/** Reads logs of one block by its hash. Resolves to null if no endpoint has the block any more. */
export function createReadBlockLogs({ ask, heads }: ReadBlockLogsOptions) {
  async function some(header: Header, options: SomeLogs = {}): Promise<Log[] | null> {
    const { addresses, topics, check, signal } = options;
    const number = numberOf(header);
    const count = addresses?.length ?? 0;
    const filter = {
      blockHash: header.hash,
      ...(addresses === undefined ? {} : { address: addresses }),
      ...(topics === undefined ? {} : { topics: [topics] }),
    };
    try {
      const sent = await ask([{ method: "eth_getLogs", params: [filter] }], {
        number,
        signal,
        canAsk: ({ limits }) => limits.addresses >= count,
        onFault: (fault, { limits }) => limits.learn(fault, { addresses: count }),
        check: ([answer], endpoint) => {
          if (answer === null) throw new LacksBlock();
          const logs = checkBlockLogs(answer, header, { addresses, topics });
          // Some nodes answer [] for a block that they don't know.
          if (logs.length === 0 && !heads.has(endpoint, number)) throw new LacksBlock({ isCertain: false });
          check?.(logs, endpoint);
        },
      });
      if (sent === null) return null;
      return sent.results[0] as Log[];
    } catch (error) {
      const isTooMuch =
        error instanceof EndpointFault && (error.kind === "addresses" || error.kind === "unfit");
      if (!isTooMuch || addresses === undefined) throw error;
      return await some(header, { ...options, addresses: undefined });
    }
  }

  return {
    some,

    /**
     * Reads all logs of the block, checked against its bloom.
     *
     * @param isDoubtful whether to accept these logs only if no endpoint has others
     */
    async all(
      header: Header,
      signal?: AbortSignal,
      isDoubtful: (logs: readonly Log[]) => boolean = () => false,
    ): Promise<Log[] | null> {
      const isFirstDoubt = doubtOnce();
      return await some(header, {
        signal,
        check: (logs, endpoint) => {
          // An endpoint may have the header before the logs.
          if (logs.length === 0) throw new LacksBlock();
          checkAllLogs(logs, header);
          if (isDoubtful(logs) && isFirstDoubt(endpoint)) {
            throw wrong(`a trade without its transfer in block ${numberOf(header)}`);
          }
        },
      });
    },
  };
}
