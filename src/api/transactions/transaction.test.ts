import { expect, test } from "vitest";
import { startHttpServer } from "../../../test/doubles/http-server.ts";
import { chainSettings } from "../../../test/service/chain-settings.ts";
import { createChainClients } from "../chain/chain-client.ts";
import { createChains } from "../chain/chains.ts";
import { handleError } from "../http/error-handler.ts";
import { createTransactions } from "./transaction.routes.ts";

const hash = `0x${"12".repeat(32)}`;
const account = `0x${"3".repeat(40)}`;
const sent = { hash, from: account, to: account, nonce: "0x1", gas: "0x1", value: "0x0", input: "0x" };

/** Asks for the transaction where each endpoint has these answers by method. */
async function ask(...answersOfEach: Record<string, object>[]) {
  const endpoints = await Promise.all(
    answersOfEach.map((answers) =>
      startHttpServer(async ({ body }) => {
        const { id, method } = JSON.parse(String(body));
        return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id, ...answers[method] }) };
      }),
    ),
  );
  try {
    const chains = createChains([chainSettings({ id: 56, rpcUrls: endpoints.map(({ url }) => url) })]);
    const app = createTransactions({ chains, getClient: createChainClients() });
    app.onError(handleError);
    const response = await app.request(`/api/transaction/${hash}`);
    return { status: response.status, body: await response.json() };
  } finally {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
  }
}

test("a transaction that the endpoint doesn't know is not found, and one without a receipt is pending", async () => {
  const unknown = await ask({ eth_getTransactionByHash: { result: null } });
  expect(unknown).toMatchObject({ status: 404, body: { code: "transaction_not_found" } });
  const pending = await ask({
    eth_getTransactionByHash: { result: sent },
    eth_getTransactionReceipt: { result: null },
  });
  expect(pending).toMatchObject({ status: 200, body: { status: "pending" } });
});

test("what an endpoint that is behind doesn't know yet, another one is asked for", async () => {
  const unknown = { eth_getTransactionByHash: { result: null }, eth_getTransactionReceipt: { result: null } };
  const receipt = { status: "0x1", blockNumber: "0x7", gasUsed: "0x1", logs: [] };
  const mined = {
    eth_getTransactionByHash: { result: sent },
    eth_getTransactionReceipt: { result: receipt },
  };
  const succeeded = { status: 200, body: { status: "succeeded", block: 7 } };
  expect(await ask(unknown, mined)).toMatchObject(succeeded);
  expect(await ask({ ...unknown, eth_getTransactionByHash: { result: sent } }, mined)).toMatchObject(
    succeeded,
  );
  expect(await ask(unknown, unknown)).toMatchObject({ status: 404, body: { code: "transaction_not_found" } });
});

test.each([
  ["the method", { code: -32_601, message: "the method does not exist or is not available" }],
  ["where its blocks are", { code: -32_001, message: "resource not found" }],
])("of an endpoint that doesn't know %s, nothing is concluded", async (_, error) => {
  const found = { result: sent };
  const cases: Record<string, object>[] = [
    { eth_getTransactionByHash: { error } },
    { eth_getTransactionByHash: found, eth_getTransactionReceipt: { error } },
  ];
  for (const answers of cases) {
    expect(await ask(answers)).toMatchObject({ status: 503, body: { code: "chain_unavailable" } });
  }
});
