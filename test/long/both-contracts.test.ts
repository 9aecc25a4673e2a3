import { type Address, encodeFunctionData, type Hex, parseEventLogs } from "viem";
import type { LocalAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { deployPrevious } from "../chain/previous-launchpad.ts";
import { revertReason, sendAsIs, simulateTrade } from "../chain/quoted-transaction.ts";
import type { RestClient } from "../service/rest-client.ts";
import { serveChains } from "../service/served-chains.ts";
import type { Service } from "../service/service.ts";
import { signAsWallet } from "../service/sign-as-wallet.ts";

/* The previous contracts and the current ones, each on a chain of its own: both are indexed and traded. */

const chains = {} as Record<"previous" | "current", LaunchpadChain>;
let service: Service;
let rest: RestClient;
let untilIndexed: (...chains: LaunchpadChain[]) => Promise<void>;

beforeAll(async () => {
  const [previous, current] = await Promise.all([
    startLaunchpadChain({ deployContracts: deployPrevious("before bound salts") }),
    startLaunchpadChain({ chainId: 97 }),
  ]);
  Object.assign(chains, { previous, current });
  ({ service, rest, untilIndexed } = await serveChains([previous, current]));
});

describe.each(["previous", "current"] as const)("the %s contracts", (edition) => {
  let chain: LaunchpadChain;

  beforeAll(() => {
    chain = chains[edition];
  });

  const ask = (path: string, query: Record<string, unknown>) =>
    rest.get(`${path}?${new URLSearchParams({ chainId: chain.chainId, ...query } as never)}`);

  async function createWithSalt(from: Address, salt: Hex, name = "Bound", symbol = "BND") {
    const args = [name, symbol, 50, salt] as const;
    const data = encodeFunctionData({ abi: tokenFactoryAbi, functionName: "createTokenWithSalt", args });
    const { logs } = await chain.send(from, chain.deployment.tokenFactory, data);
    return parseEventLogs({ abi: tokenFactoryAbi, eventName: "TokenCreated", logs })[0]?.args.token;
  }

  test("a simulated market with creations, salts and first buys is indexed as the chain has it", async () => {
    await chain.trade(7, { blocks: 12, actionsPerBlock: 5, creations: 0.4 });
    await service.expectIndexEqualsChain([chain]);
  });

  test("after a reorg, createToken's next address is its creator's, or anybody's with the previous contracts", async () => {
    const [first, second, buyer] = chain.traders;
    const snapshot = await chain.testClient.snapshot();
    const lost = await chain.create(first, "First", "ONE", 30);
    await untilIndexed(chain);
    await chain.testClient.revert({ id: snapshot });
    const token = await chain.create(second, "Second", "TWO", 70);
    await chain.buy(buyer, token, 10n ** 16n);
    await service.expectIndexEqualsChain([chain]);
    expect(token === lost).toBe(edition === "previous");
    const rows = await service.database.query(
      "select name, burn_percent from onchain.token where chain_id = $1 and address = any($2)",
      [chain.chainId, [lost, token].map((address) => address.toLowerCase())],
    );
    expect(rows).toEqual([{ name: "Second", burn_percent: 70 }]);
  });

  test("a bound salt creates the token at its address", async () => {
    const [, creator, other] = chain.traders;
    const query = { name: "Bound", symbol: "BND", creator };
    const { body } = await ask("/api/tokens/vanity-salt", query);
    if (edition === "current") await expect(createWithSalt(other, body.salt)).rejects.toThrow();
    expect((await createWithSalt(creator, body.salt))?.toLowerCase()).toBe(body.address);
    await untilIndexed(chain);
    expect((await ask(`/api/token/${body.address}`, {})).body).toMatchObject({
      creator: creator.toLowerCase(),
    });
  });

  test("first buy, buys, sells and graduation follow their quotes to the wei", async () => {
    const [, other, trader] = chain.traders;
    const salted = { name: "Quoted", symbol: "QTD" };
    const { body: found } = await ask("/api/tokens/vanity-salt", { ...salted, creator: trader });
    const terms = { ...salted, salt: found.salt, burnPercent: 40, amount: graduatingAmount / 3n };
    const { body: ofOther } = await ask("/api/first-buy/quote", { ...terms, account: other });
    expect(ofOther.warnings.map(({ code }: { code: string }) => code)).toEqual(
      edition === "current" ? ["salt_of_another_account"] : [],
    );
    expect(await revertReason(chain, other, ofOther.transaction)).toBe(
      edition === "current" ? "SaltOfAnotherAccount" : undefined,
    );
    const { body: first } = await ask("/api/first-buy/quote", { ...terms, account: trader });
    expect(first.warnings).toEqual([]);
    await sendAsIs(chain, trader, first.transaction);
    const mint = found.address as Address;
    expect(String(await chain.balanceOf(mint, trader))).toBe(first.amountOutRaw);
    const { body: again } = await ask("/api/first-buy/quote", { ...terms, account: trader });
    expect(again.warnings).toMatchObject([{ code: "salt_already_used" }]);

    const quoted = async (side: "buy" | "sell", amount: bigint) => {
      await untilIndexed(chain);
      const query = { side, amount, account: trader, slippage: 0.5 };
      const { body: quote } = await ask(`/api/curve/${mint}/quote`, query);
      expect(quote.warnings.filter(({ code }: { code: string }) => code !== "allowance_too_low")).toEqual([]);
      if (quote.approval) await sendAsIs(chain, trader, quote.approval);
      expect(await revertReason(chain, trader, quote.transaction)).toBeUndefined();
      expect(String(await simulateTrade(chain, trader, quote.transaction))).toBe(
        quote.amountOutRaw ?? quote.amountOutWei,
      );
      await sendAsIs(chain, trader, quote.transaction);
      return quote;
    };
    await quoted("buy", graduatingAmount / 5n);
    await quoted("sell", (await chain.balanceOf(mint, trader)) / 3n);
    expect((await quoted("buy", 3n * graduatingAmount)).graduates).toBe(true);
    await quoted("buy", graduatingAmount);
    await quoted("sell", await chain.balanceOf(mint, trader));
    await service.expectIndexEqualsChain([chain]);
  });

  test("a sell needs one signature with the current contracts, and an approval with the previous ones", async () => {
    const account = chain.accounts[4] as LocalAccount;
    const seller = account.address;
    const mint = await chain.create(seller, "Signed", "SIGN");
    await chain.buy(seller, mint, graduatingAmount / 2n);
    const amount = (await chain.balanceOf(mint, seller)) / 3n;
    const query = { side: "sell", amount, account: seller, simulation: "true" };
    const quote = async (more = {}) => {
      await untilIndexed(chain);
      return (await ask(`/api/curve/${mint}/quote`, { ...query, ...more })).body;
    };
    const { permit, deadline } = await quote();
    if (edition === "previous") {
      expect(permit).toBeNull();
      return;
    }
    const signature = await signAsWallet(account, permit);
    const signed = await quote({ signature, deadline });
    expect(signed).toMatchObject({
      approval: null,
      permit: null,
      warnings: [],
      simulation: { outcome: "succeeds" },
    });
    expect(String(await simulateTrade(chain, seller, signed.transaction))).toBe(signed.amountOutWei);
    await sendAsIs(chain, seller, signed.transaction);
    expect(await chain.balanceOf(mint, seller)).toBeGreaterThan(0n);
    await untilIndexed(chain);
    const { body } = await ask(`/api/token/${mint}/trades`, {});
    expect(body.trades[0]).toMatchObject({ side: "sell", trader: seller.toLowerCase() });

    // Used up: the same signature sells nothing more. A wrong one doesn't either.
    expect((await quote({ signature, deadline })).simulation.outcome).toBe("reverts");
    const refused = await ask(`/api/curve/${mint}/quote`, { ...query, signature });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, "signature"]);

    // Approved beforehand, or graduated: there is nothing to sign.
    await chain.sell(seller, mint, 10n ** 20n);
    expect((await quote()).permit).toBeNull();
    await chain.buy(chain.traders[0], mint, graduatingAmount);
    expect(await quote()).toMatchObject({ venue: "dex", permit: null });
  });
});
