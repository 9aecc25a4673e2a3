import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { graduatingAmount, type LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { revertReason, sendAsIs } from "../../chain/quoted-transaction.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { OtherContractsServed } from "./served.ts";

/** Deployments of the contracts from before createTokenAndBuy must keep working. */
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

  test("their tokens are indexed correctly, without the swap that precedes a graduation", async () => {
    await service.expectIndexEqualsChain([chain]);
    const { body } = await rest.get(`/api/token/${graduated}/trades`);
    expect(body.trades.map(({ venue, side }: { venue: string; side: string }) => `${venue} ${side}`)).toEqual(
      [...["dex sell", "dex buy"], ...["curve buy", "curve sell", "curve buy"]],
    );
  });

  test("a signature is not said to be valid where there are no permits to compare it with", async () => {
    const [, holder] = chain.traders;
    const deadline = Math.floor(Date.now() / 1_000) + 600;
    const signed = `deadline=${deadline}&signature=0x${"1".repeat(128)}1b`;
    const query = `side=sell&amount=${10n ** 20n}&account=${holder}&${signed}`;
    const { body: quote } = await rest.get(`/api/curve/${open}/quote?${query}`);
    expect(quote.warnings).toEqual([
      { code: "account_not_checked", message: expect.stringMatching(/permit can't be read/) },
    ]);
  });

  test("a quoted buy beyond the end of the curve succeeds, with the limit that these contracts support", async () => {
    const [, , trader] = chain.traders;
    const query = `side=buy&amount=${10n * graduatingAmount}&slippage=0.5&account=${trader}`;
    const { body: quote } = await rest.get(`/api/curve/${open}/quote?${query}`);
    expect(quote).toMatchObject({ graduates: true, refundWei: String((19n * graduatingAmount) / 2n) });
    expect(await revertReason(chain, trader, quote.transaction)).toBeUndefined();
    await sendAsIs(chain, trader, quote.transaction);
    expect(String(await chain.balanceOf(open, trader))).toBe(quote.amountOutRaw);
    await service.expectIndexEqualsChain([chain]);
  });

  test("they have no first buy, and the API says so", async () => {
    const { status, body } = await rest.get("/api/first-buy/quote?burnPercent=50&amount=1");
    expect([status, body.code]).toEqual([422, "first_buy_not_supported"]);
  });
}
