import { encodeErrorResult, type Hex } from "viem";
import { afterEach, expect, test } from "vitest";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { createRpcClient } from "../../../chain-access/rpc-client.ts";
import { type HttpServer, startHttpServer } from "../../../test/doubles/http-server.ts";
import { simulateInOrder } from "./simulate.ts";

let endpoint: HttpServer | undefined;

afterEach(() => endpoint?.close());

/** Simulates an approval and a trade against an endpoint with this answer. */
async function simulation(answer: object) {
  endpoint = await startHttpServer(async ({ body }) => {
    const { id } = JSON.parse(String(body));
    return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id, ...answer }) };
  });
  const client = createRpcClient({ urls: [endpoint.url] });
  const sent = { to: `0x${"2".repeat(40)}`, data: "0x", value: 0n } as const;
  return await simulateInOrder(client, `0x${"1".repeat(40)}`, [sent, sent]);
}

const done = { status: "0x1", returnData: "0x", gasUsed: "0x1", logs: [] };
const blockOf = (calls: object[]) => ({ result: [{ number: "0x1", calls }] });

test("transactions that succeed in order", async () => {
  expect(await simulation(blockOf([done, done]))).toEqual({ outcome: "succeeds" });
});

test("a revert has its reason", async () => {
  const data: Hex = encodeErrorResult({ abi: launchpadAbi, errorName: "ReentrancyGuardReentrantCall" });
  const failed = { ...done, status: "0x0", returnData: data, error: { code: 3, message: "reverted", data } };
  expect(await simulation(blockOf([done, failed]))).toEqual({
    outcome: "reverts",
    reason: "ReentrancyGuardReentrantCall",
  });
});

test.each([
  ["does not know the method", { error: { code: -32_601, message: "method not found" } }],
  ["answers with fewer calls", blockOf([done])],
  ["answers with no block", { result: [] }],
  ["answers anything", { result: "0x" }],
])("an endpoint that %s leaves the outcome open", async (_, answer) => {
  expect(await simulation(answer)).toMatchObject({
    outcome: "not_simulated",
    reason: expect.stringContaining("approval"),
  });
});
