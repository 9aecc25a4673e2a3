import { EndpointFault } from "./fault.ts";

/** The `error` of a JSON-RPC response. */
export type JsonRpcError = { code: number; message: string; data?: unknown };

const tooOften =
  /rate.?limit|too many requests|request limit|capacity|throughput|quota|credits|compute units/i;
const addressLimit = /address(es)?\b/i;
const limitWords = /max|limit|exceed|too many|up to|more than|over/i;
const tooMuch =
  /more than [\d,]+ (results|logs)|too many (results|logs)|(response|result)s? size|size (is )?exceed|response is too (big|large)|returns? too many|logs? (count )?limit/i;
const tooWide =
  /block range|blocks? range|range (is )?too|too wide|too many blocks|requested blocks|[\d,kK]+ blocks?|ranges? over|limited to|exceed/i;

/**
 * Codes with which a request as such is refused: it can't be parsed, its method or parameters do not exist. By JSON-RPC 2.0;
 * many endpoints also use -32602 for ranges that are too wide.
 */
const refusals = new Set([-32600, -32601, -32602, -32700]);

/**
 * Tells from an error's code and message what to do. Every provider words its limits in its own way; examples of each are in
 * the tests.
 *
 * @param asksForLogs whether the request was eth_getLogs, which alone has ranges and addresses
 */
export function classifyError({ code, message }: JsonRpcError, asksForLogs: boolean): EndpointFault {
  const text = message.slice(0, 300);
  const fault = (kind: EndpointFault["kind"], limit?: number) =>
    new EndpointFault(kind, text, { limit, code });
  if (asksForLogs) {
    // These come first, since "limit exceeded" is what some say of a range.
    if (tooMuch.test(text)) return fault("results");
    if (addressLimit.test(text) && limitWords.test(text)) return fault("addresses", limitIn(text));
    if (!isRate(code, text) && tooWide.test(text)) return fault("range", limitIn(text));
  }
  if (isRate(code, text)) return fault("rate");
  // geth: -32005 without more words.
  if (code === -32005) return fault(asksForLogs ? "range" : "rate");
  return fault(refusals.has(code) ? "refused" : "server");
}

const isRate = (code: number, text: string) => code === 429 || code === -32029 || tooOften.test(text);

/** The largest number in a text that is no block number of today, such as 10,000 in "limited to a 10,000 range" or 2K. */
function limitIn(text: string): number | undefined {
  const withoutHex = text.replace(/0x[0-9a-f]+/gi, "");
  const numbers = [...withoutHex.matchAll(/(\d[\d,_]*)\s*(k\b)?/gi)]
    .map(
      ([, digits = "", thousand]) =>
        Number(digits.replace(/[,_]/g, "")) * (thousand === undefined ? 1 : 1_000),
    )
    .filter((number) => number > 0 && number <= 100_000);
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}
