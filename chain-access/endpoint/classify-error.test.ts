import { expect, test } from "vitest";
import { classifyError } from "./json-rpc.ts";

/** Errors as public endpoints word them. */
const ofLogs: [kind: string, limit: number | undefined, code: number, message: string][] = [
  ["range", 50_000, -32000, "exceed maximum block range: 50000"],
  ["range", 10_000, -32614, "eth_getLogs is limited to a 10,000 range"],
  ["range", 2_000, -32600, "eth_getLogs is limited to 2K blocks range"],
  ["range", 10_000, -32602, "eth_getLogs is limited to 0 - 10000 blocks range"],
  ["range", 10_000, 35, "ranges over 10000 blocks are not supported on freetier"],
  ["range", 2_000, -32000, "requested too many blocks from 1000000 to 2000001, maximum is set to 2000"],
  ["range", undefined, -32000, "Block range limit exceeded. See more details at https://docs.example/limits"],
  ["range", undefined, -32602, "block range is too wide"],
  ["range", undefined, -32005, "limit exceeded"],
  ["range", undefined, -32002, "request timed out"],
  ["range", undefined, -32000, "query timeout exceeded: 10 s"],
  [
    "results",
    undefined,
    -32005,
    "query returned more than 10000 results. Try with this block range [0x1, 0x2].",
  ],
  ["results", undefined, -32602, "Log response size exceeded. this block range should work: [0x0, 0x7cf]"],
  ["results", undefined, -32000, "response is too big"],
  ["addresses", 1_000, -32602, "too many addresses: the maximum is 1000"],
  [
    "unfiltered",
    undefined,
    -32701,
    "Please specify an address in your request or, to remove restrictions, order a dedicated full node here: https://www.allnodes.com/bnb/host",
  ],
  ["server", undefined, -32602, "block range extends beyond current head block"],
  [
    "server",
    undefined,
    -32602,
    "block range extends beyond current head block: requested 21000100, head 21000000",
  ],
  [
    "server",
    undefined,
    -32000,
    "block 50162452 is beyond the latest block 50162448 of this node, retry later",
  ],
  ["rate", undefined, 429, "Too Many Requests"],
  ["rate", undefined, -32005, "daily request count exceeded, request rate limited"],
  ["rate", undefined, -32005, "Your app has exceeded its compute units per second capacity"],
  ["rate", undefined, -32005, "You've exceeded the RPS limit available on the current plan."],
  ["rate", undefined, -32005, "Too many request, try again later"],
  ["rate", undefined, -32000, "exceeded the limit of 300 requests per minute"],
  ["rate", undefined, -32005, "Monthly request limit exceeded"],
  ["refused", undefined, -32601, "the method eth_getLogs does not exist"],
  ["server", undefined, -32000, "header not found"],
  ["server", undefined, -32603, "Internal error"],
];

test.each(ofLogs)("%s, limit %s: error %s, %s", (kind, limit, code, message) => {
  const fault = classifyError({ code, message }, true);
  expect([fault.kind, fault.limit]).toEqual([kind, limit]);
});

test.each([
  [
    3,
    31,
    "Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account",
  ],
  [undefined, -32600, "batch too large"],
  [undefined, -32602, "Number of requests in batch exceeds --rpc-max-batch-size."],
  [undefined, -32005, "Batched requests are not supported by this server"],
])("a limit of %s calls in a batch: error %s, %s", (limit, code, message) => {
  const faults = [true, false].map((asksForLogs) => classifyError({ code, message }, asksForLogs));
  expect(faults.map(({ kind, limit }) => [kind, limit])).toEqual(Array(2).fill(["batch", limit]));
});

test("words about ranges only count for logs", () => {
  expect(classifyError({ code: -32000, message: "block range is too wide" }, false).kind).toBe("server");
  expect(classifyError({ code: -32005, message: "limit exceeded" }, false).kind).toBe("rate");
});

test.each([
  ["rate", -32005, "limit exceeded"],
  ["server", -32000, "exceed maximum block range: 1"],
  ["server", -32002, "request timed out"],
  ["results", -32005, "query returned more than 10000 results"],
])("a single block is never too wide a range: %s for error %s, %s", (kind, code, message) => {
  expect(classifyError({ code, message }, true, false).kind).toBe(kind);
});

test("a message of any length is cut short", () => {
  expect(classifyError({ code: 1, message: "x".repeat(1e6) }, true).message.length).toBeLessThanOrEqual(300);
});
