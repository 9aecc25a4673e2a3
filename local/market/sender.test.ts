import { numberToHex, parseEther } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Anvil, startAnvil } from "../../test/chain/anvil.ts";
import type { Transaction } from "./actions.ts";
import { createRpc, createSender } from "./rpc.ts";

let anvil: Anvil;
beforeAll(async () => {
  anvil = await startAnvil({ args: ["--no-mining", "--block-base-fee-per-gas", "0"] });
});
afterAll(() => anvil.stop());

const from = `0x${"1".repeat(40)}` as const;
const transaction: Transaction = {
  from,
  to: `0x${"2".repeat(40)}`,
  data: "0x",
  value: "0x0",
  gas: numberToHex(21_000),
  gasPrice: numberToHex(10 ** 9),
};

test("several transactions of one account in a batch are all accepted, in a thousand batches", async () => {
  const rpc = createRpc(anvil.rpcUrl);
  await rpc([
    ["anvil_autoImpersonateAccount", [true]],
    ["anvil_setBalance", [from, numberToHex(parseEther("100"))]],
  ]);
  const send = createSender(rpc);
  for (let round = 0; round < 1_000; round++) {
    await send([transaction, transaction]);
    if (round % 100 === 99) await rpc([["evm_mine"]]);
  }
  expect(await anvil.publicClient.getTransactionCount({ address: from })).toBe(2_000);
});

test("after a rejected transaction the account continues with the right nonce", async () => {
  const rpc = createRpc(anvil.rpcUrl);
  const send = createSender(rpc);
  const before = await anvil.publicClient.getTransactionCount({ address: from });
  await expect(send([transaction, { ...transaction, gas: "0x1" }])).rejects.toThrow(/gas/);
  await send([transaction]);
  await rpc([["evm_mine"]]);
  expect(await anvil.publicClient.getTransactionCount({ address: from })).toBe(before + 2);
});
