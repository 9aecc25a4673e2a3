import fc from "fast-check";
import { encodeFunctionData } from "viem";
import { expect } from "vitest";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { alice, type Harness } from "./harness.ts";
import { anyToken, anyTrader, donor, holderOf, step, tokenAt } from "./market-commands.ts";
import { add, amountOf, type Market, type ModelToken } from "./market-model.ts";
import { expectRevert } from "./outcomes.ts";
import { pairActions } from "./pair-actions.ts";

const anyShare = fc.oneof(fc.constant(0n), fc.bigInt(1n, 1_000_000n), fc.constant(1_000_000n));

/** A part of a holder's balance, given in millionths. */
const partOf = ({ balances }: ModelToken, holder: `0x${string}`, millionths: bigint) =>
  (amountOf(balances, holder) * millionths) / 1_000_000n;

export const anyTransfer = fc
  .record({
    index: anyToken,
    from: anyTrader,
    to: fc.oneof(anyTrader, fc.constantFrom("launchpad" as const, "pair" as const)),
    millionths: anyShare,
  })
  .map((values) =>
    step("transfer", values, async ({ index, from: wished, to, millionths }, market, chain) => {
      const token = tokenAt(market, index);
      const from = holderOf(token, wished);
      const amount = partOf(token, from, millionths);
      const send = (receiver: `0x${string}`) => chain.transfer(token.address, from, receiver, amount);
      if (to === "pair" && !token.graduated) {
        await expectRevert(send(token.pair), "PairLocked");
        return "transfer to a locked pair";
      }
      add(token.balances, from, -amount);
      if (to === "pair") {
        await send(token.pair);
        token.pairTokens += amount;
        return "transfer to a pair";
      }
      if (to === "launchpad") {
        await send(chain.launchpad);
        token.stray += amount;
        return "transfer to the launchpad";
      }
      await send(to);
      add(token.balances, to, amount);
      return "transfer";
    }),
  );

export const anyApproval = fc
  .record({
    index: anyToken,
    trader: anyTrader,
    amount: fc.constantFrom(0n, 10n ** 12n, 10n ** 24n, 2n ** 256n - 1n),
  })
  .map((values) =>
    step("approve", values, async ({ index, trader, amount }, market, chain) => {
      const token = tokenAt(market, index);
      await call(chain, trader, token, "approve", [chain.launchpad, amount]);
      token.allowances.set(trader, amount);
      return "approval";
    }),
  );

export const anyBurn = fc.record({ index: anyToken, trader: anyTrader, millionths: anyShare }).map((values) =>
  step("burn", values, async ({ index, trader: wished, millionths }, market, chain) => {
    const token = tokenAt(market, index);
    const trader = holderOf(token, wished);
    const amount = partOf(token, trader, millionths);
    await call(chain, trader, token, "burn", [amount]);
    add(token.balances, trader, -amount);
    token.totalSupply -= amount;
    return "burn";
  }),
);

function call(
  chain: Harness,
  from: `0x${string}`,
  { address }: ModelToken,
  functionName: "approve" | "burn",
  args: unknown[],
) {
  return chain.send(
    from,
    address,
    encodeFunctionData({ abi: launchTokenAbi, functionName, args: args as never }),
  );
}

/** Actions that anybody may try on a pair. All of them fail before graduation. */
export const anyPoke = fc
  .record({ index: anyToken, what: fc.constantFrom("sync", "skim", "mint", "burn", "swap") })
  .map((values) => step("poke the pair", values, poke));

async function poke({ index, what }: { index: number; what: string }, market: Market, chain: Harness) {
  const token = tokenAt(market, index);
  const { callPair } = pairActions(chain, donor);
  if (!token.graduated) {
    const args = what === "sync" ? [] : what === "swap" ? [1n, 0n, donor, "0x"] : [donor];
    await expect(callPair(token.pair, what as "sync", args)).rejects.toThrow("reverted");
    return `${what} of a locked pair`;
  }
  if (what === "sync") {
    await callPair(token.pair, "sync");
    token.tokenReserve = token.pairTokens;
    token.wbnbReserve = token.pairWbnb;
    return "sync of a pair";
  }
  await callPair(token.pair, "skim", [alice]);
  add(token.balances, alice, token.pairTokens - token.tokenReserve);
  add(market.wbnb, alice, token.pairWbnb - token.wbnbReserve);
  token.pairTokens = token.tokenReserve;
  token.pairWbnb = token.wbnbReserve;
  return "skim of a pair";
}
