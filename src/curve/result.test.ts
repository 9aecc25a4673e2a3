import fc from "fast-check";
import { parseEther } from "viem";
import { expect, test } from "vitest";
import { maxUint256 } from "./amounts.ts";
import { applyBuy, applySell, type Result } from "./result.ts";

const nothing: Result = { openTokensRaw: 0n, openCost: 0n, realised: 0n };

type Trade = { side: "buy" | "sell"; bnb: bigint; tokens: bigint };

const after = (trades: Trade[]) =>
  trades.reduce(
    (result, { side, bnb, tokens }) => (side === "buy" ? applyBuy : applySell)(result, bnb, tokens),
    nothing,
  );

const tradesOf = (largest: bigint) =>
  fc.array(
    fc.record({
      side: fc.constantFrom("buy" as const, "sell" as const),
      bnb: fc.bigInt(0n, largest),
      tokens: fc.bigInt(0n, largest),
    }),
    { maxLength: 30 },
  );

test("a sale realises its proceeds less the average cost", () => {
  const trades: Trade[] = [
    { side: "buy", bnb: parseEther("1"), tokens: parseEther("100") },
    { side: "buy", bnb: parseEther("3"), tokens: parseEther("100") },
    { side: "sell", bnb: parseEther("1.5"), tokens: parseEther("50") },
  ];
  expect(after(trades)).toEqual({
    openTokensRaw: parseEther("150"),
    openCost: parseEther("3"),
    realised: parseEther("0.5"),
  });
  expect(after([...trades, { side: "sell", bnb: parseEther("1"), tokens: parseEther("150") }])).toEqual({
    ...nothing,
    realised: parseEther("-1.5"),
  });
});

test("what came by transfer cost nothing: its sale is all gain", () => {
  expect(applySell(nothing, 7n, 100n)).toEqual({ ...nothing, realised: 7n });
  expect(applySell(applyBuy(nothing, 10n, 100n), 30n, 300n)).toEqual({ ...nothing, realised: 20n });
});

test("not a wei is lost: realised results and open costs add up to what was received and spent", () => {
  fc.assert(
    fc.property(tradesOf(10n ** 30n), (trades) => {
      const { openCost, realised } = after(trades);
      const flow = trades.reduce((sum, { side, bnb }) => (side === "buy" ? sum - bnb : sum + bnb), 0n);
      expect(realised - openCost).toBe(flow);
    }),
  );
});

test("nothing is open once as much is sold as was bought, and then it cost nothing", () => {
  fc.assert(
    fc.property(tradesOf(10n ** 30n), (trades) => {
      const { openTokensRaw } = after(trades);
      const closed = applySell(after(trades), 0n, openTokensRaw);
      expect([closed.openTokensRaw, closed.openCost]).toEqual([0n, 0n]);
    }),
  );
});

test("a sale leaves the average cost of the others as it was, but for rounding up by less than a wei", () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 30n),
      fc.bigInt(1n, 10n ** 30n),
      fc.bigInt(0n, 10n ** 30n),
      (cost, tokens, part) => {
        fc.pre(part < tokens);
        const left = applySell(applyBuy(nothing, cost, tokens), 0n, part);
        const exact = cost * (tokens - part);
        expect(left.openCost * tokens >= exact && (left.openCost - 1n) * tokens < exact).toBe(true);
      },
    ),
  );
});

test("stays within what columns can hold, whatever is traded", () => {
  fc.assert(
    fc.property(tradesOf(maxUint256), (trades) => {
      const { openTokensRaw, openCost, realised } = after(trades);
      for (const amount of [openTokensRaw, openCost]) expect(amount >= 0n && amount <= maxUint256).toBe(true);
      expect(realised >= -maxUint256 && realised <= maxUint256).toBe(true);
    }),
  );
});
