import { expect, test } from "vitest";
import { quoteRoute } from "../../quotes/quote.routes.ts";
import { type ToolContext, ToolError } from "../tool.ts";
import { readImpact } from "./assess-token.ts";

/** A context in which every quote fails with this code. */
const failing = (code: string) =>
  ({
    ask: (route: { path: string }) => {
      expect(route.path).toBe(quoteRoute.path);
      return Promise.reject(new ToolError(code, "no"));
    },
  }) as unknown as ToolContext;

const mint = `0x${"1".repeat(40)}`;

test("a buy that the chain would revert has no impact", async () => {
  expect(await readImpact(failing("no_liquidity"), mint, "0.01")).toMatchObject({ priceImpactPercent: null });
});

test.each(["busy", "chain_unavailable", "too_many_requests"])(
  "%s is not taken for a token that can't be traded",
  async (code) => await expect(readImpact(failing(code), mint, "0.01")).rejects.toMatchObject({ code }),
);
