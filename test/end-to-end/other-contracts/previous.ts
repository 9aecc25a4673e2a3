import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { graduatingAmount, type LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { revertReason, sendAsIs } from "../../chain/quoted-transaction.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { OtherContractsServed } from "./served.ts";

/** Whoever deployed the contracts before createTokenAndBuy goes on with them. */
export function testPreviousContracts(served: () => OtherContractsServed): void {
  let chain: LaunchpadChain;
  let service: Service;
  let rest: RestClient;
  let graduated: Address;
  let open: Address;

  beforeAll(() => {
    ({ service, rest } = served());
    ({ chain, graduated, open } = served().previous);
  });

  test("their tokens are indexed as they happened, the swap before a graduation left out", async () => {
    await service.expectIndexEqualsChain([chain]);
    const { body } = await rest.get(`/api/token/${graduated}/trades`);
    expect(body.trades.map(({ venue, side }: { venue: string; side: string }) => `${venue} ${side}`)).toEqual(
      [...["dex sell", "dex buy"], ...["curve buy", "curve sell", "curve buy"]],
    );
  });

  test("a quote of a buy beyond the end of the curve goes through, with the limit that they know", async () => {
    const [, , trader] = chain.traders;
    const query = `side=buy&amount=${10n * graduatingAmount}&slippage=0.5&account=${trader}`;
    const { body: quote } = await rest.get(`/api/curve/${open}/quote?${query}`);
    expect(quote).toMatchObject({ graduates: true, refundWei: String((19n * graduatingAmount) / 2n) });
    expect(await revertReason(chain, trader, quote.transaction)).toBeUndefined();
    await sendAsIs(chain, trader, quote.transaction);
    expect(String(await chain.balanceOf(open, trader))).toBe(quote.amountOutRaw);
    await service.expectIndexEqualsChain([chain]);
  });

  test("they have no first buy, and that is said", async () => {
    const { status, body } = await rest.get("/api/first-buy/quote?burnPercent=50&amount=1");
    expect([status, body.code]).toEqual([422, "first_buy_not_supported"]);
  });
}
