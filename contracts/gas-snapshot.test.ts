import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tokenFactoryAbi } from "../abis/TokenFactory.ts";
import {
  alice,
  billion,
  bob,
  carol,
  fullPrice,
  type Harness,
  milliBnb,
  startHarness,
} from "./test/harness.ts";
import { boundSalt } from "./test/outcomes.ts";
import { saltFor } from "./test/pair-actions.ts";
import { signPermit } from "./test/permits.ts";

/* What each call costs, so that a change of the contracts or the compiler shows. `npx vitest run contracts/gas-snapshot.test.ts -u` accepts it. */

let chain: Harness;

beforeAll(async () => {
  chain = await startHarness();
});

afterAll(() => chain?.stop());

test("every call costs the gas that gas-snapshot.json has", async () => {
  const gas: Record<string, number> = {};
  const measure = async (what: string, sent: Promise<{ gasUsed: bigint }>) => {
    gas[what] = Number((await sent).gasUsed);
  };
  // The same salts whatever the order of tests: addresses decide about zero bytes, and so about the gas of call data.
  const [first, other] = [await saltFor(chain, "token0"), await saltFor(chain, "token1")];
  const token = await chain.createTokenWithSalt(first);
  const { createTokenAndBuy } = chain;

  await measure("createToken", chain.send(bob, chain.tokenFactory, creation()));
  await measure("createTokenAndBuy", createTokenAndBuy(milliBnb, { salt: boundSalt(alice, 1) }));
  await measure(
    "createTokenAndBuy: all of the curve",
    createTokenAndBuy(2n * fullPrice, { salt: boundSalt(alice, 2) }),
  );
  await measure("createFor", createTokenAndBuy(milliBnb, { salt: boundSalt(alice, 3), recipient: bob }));

  await measure("buy: first of an account", chain.buy(token, milliBnb, alice));
  await measure("buy: another one", chain.buy(token, milliBnb, alice));
  await measure("buyFor", chain.buyFor(token, milliBnb, bob, alice));
  await measure("buyExactOut: with a refund", chain.buyExactOut(token, billion / 1_000n, milliBnb, carol));

  const held = await chain.balanceOf(token, alice);
  await measure("approve", chain.approve(token, alice));
  await measure("sell: a part", chain.sell(token, held / 4n, alice));
  await measure("sellTo", chain.sellTo(token, held / 4n, bob, alice));
  await measure("sell: all", chain.sell(token, await chain.balanceOf(token, alice), alice));
  const permit = await signPermit(chain, token, { owner: bob, value: held / 4n });
  await measure("sellWithPermit", chain.sellWithPermit(token, permit, bob));

  await measure("buy: graduates, token0", chain.buy(token, 2n * fullPrice, alice));
  const otherToken = await chain.createTokenWithSalt(other);
  await measure("buy: graduates, token1", chain.buy(otherToken, 2n * fullPrice, alice));
  await measure("transfer", chain.transfer(token, alice, carol, milliBnb));

  await expect(`${JSON.stringify(gas, null, 2)}\n`).toMatchFileSnapshot("gas-snapshot.json");
});

function creation() {
  const args = ["Token", "TKN", 50] as const;
  return encodeFunctionData({ abi: tokenFactoryAbi, functionName: "createToken", args });
}
