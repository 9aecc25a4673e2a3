import fc from "fast-check";
import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  maxUint256,
  stringToHex,
} from "viem";
import { beforeAll, expect, test } from "vitest";
import { dexPairAbi } from "../../../abis/DexPair.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import type { LogEmitter, RawLog } from "../../chain/log-emitter.ts";
import { sized } from "../../run/long-run.ts";
import type { TestDatabase } from "../../service/database.ts";
import type { Indexer } from "../../service/indexer.ts";
import type { OtherContractsServed } from "./served.ts";

/*
 * An operator's own contracts may emit anything in any order. The contracts here emit random events with random
 * amounts: the indexer must keep going, and miss no token and no trade.
 */
export function testHostileContracts(served: () => OtherContractsServed): void {
  let chain: LaunchpadChain;
  let database: TestDatabase;
  let indexer: Indexer;
  let factory: LogEmitter;
  let launchpad: LogEmitter;
  let tokens: LogEmitter[];
  let pairs: LogEmitter[];

  beforeAll(() => {
    ({ chain, factory, launchpad, tokens, pairs } = served().hostile);
    ({ database, indexer } = served().service);
  });

  function log(abi: Abi, eventName: string, args: Record<string, unknown>): RawLog {
    const event = abi.find((item) => item.type === "event" && item.name === eventName);
    if (event?.type !== "event") throw new Error(eventName);
    const inData = event.inputs.filter(({ indexed }) => !indexed);
    return {
      topics: encodeEventTopics({ abi, eventName, args } as never) as Hex[],
      data: encodeAbiParameters(
        inData,
        inData.map(({ name }) => args[name ?? ""]),
      ),
    };
  }

  const created = (token: Address, name: string, symbol: string) =>
    log(tokenFactoryAbi, "TokenCreated", {
      token,
      creator: chain.traders[0],
      name,
      symbol,
      burnPercent: 255,
      totalSupply: maxUint256,
      salt: `0x${"ab".repeat(32)}`,
    });

  const tokenNames = async () =>
    new Map(
      (await database.query("select address, name, symbol from onchain.token where chain_id = 97")).map(
        (row) => [row.address, row],
      ),
    );

  test("a name of 100 kB is indexed whole", async () => {
    const token = `0x${"1".repeat(40)}` as const;
    const name = "\0<é🦦'".repeat(12_000);
    expect(stringToHex(name).length / 2).toBeGreaterThan(100_000);
    await factory.emit([created(token, name, "\0BIG")]);
    await indexer.untilIndexed(97, await chain.head());
    const row = (await tokenNames()).get(token);
    expect(row?.name === name.replaceAll("\0", "")).toBe(true);
    expect(row?.symbol).toBe("BIG");
  });

  test("logs that don't decode as any event of the ABI don't stop the indexer", async () => {
    const good = created(`0x${"2".repeat(40)}`, "after rubbish", "OK");
    await factory.emit([{ topics: good.topics, data: "0x" }]);
    await factory.emit([{ topics: good.topics, data: `0x${"ff".repeat(320)}` }]);
    await launchpad.emit([{ topics: log(launchpadAbi, "Graduated", graduation(0, 0)).topics, data: "0x01" }]);
    await factory.emit([good]);
    await indexer.untilIndexed(97, await chain.head());
    expect((await tokenNames()).get(`0x${"2".repeat(40)}`)?.name).toBe("after rubbish");
  });

  test("each change of a token without a curve is one by its changed_timestamp, also what is sent to a burn address", async () => {
    const { withoutCurve: token } = served().hostile;
    const transfer = (from: string, to: string, value: bigint) =>
      log(launchTokenAbi, "Transfer", { from: addressOf(from), to: addressOf(to), value });
    await factory.emit([created(token.address, "No curve", "NONE")]);
    const seen = [];
    // Part of a holder's, who got none from the creator: holders, insiders and the creator's balance stay the same.
    for (const [from, to, value] of [
      ["zero", "other", 1_000n],
      ["other", "dead", 300n],
      ["dead", "other", 100n],
    ] as const) {
      await chain.testClient.increaseTime({ seconds: 60 });
      await token.emit([transfer(from, to, value)]);
      await indexer.untilIndexed(97, await chain.head());
      const { timestamp } = await chain.publicClient.getBlock();
      const [row] = await database.query(
        `select circulating_raw::text, greatest(t.changed_at, c.changed_at) = ${timestamp} as is_changed, c.token
         from onchain.token t left join onchain.curve c on c.chain_id = t.chain_id and c.token = t.address
         where address = '${token.address}'`,
      );
      seen.push([row?.circulating_raw, row?.is_changed, row?.token]);
    }
    expect(seen).toEqual([
      ["1000", true, null],
      ["700", true, null],
      ["800", true, null],
    ]);
  });

  const graduation = (token: number, pair: number) => ({
    token: tokens[token]?.address,
    pair: pairs[pair]?.address,
    bnbLiquidity: maxUint256,
    tokenLiquidity: 0n,
  });

  const amount = fc.oneof(
    fc.constantFrom(0n, 1n, 10n ** 18n, 2n ** 255n, maxUint256 - 1n, maxUint256),
    fc.bigInt(0n, maxUint256),
  );
  const uint112 = fc.oneof(fc.constantFrom(0n, 1n, 2n ** 112n - 1n), fc.bigInt(0n, 2n ** 112n - 1n));
  const tokenIndex = fc.nat(2);
  const pairIndex = fc.nat(1);
  const party = fc.constantFrom("zero", "dead", "launchpad", "pair", "trader", "other");

  function addressOf(name: string): Address | undefined {
    return {
      zero: `0x${"0".repeat(40)}` as const,
      dead: "0x000000000000000000000000000000000000dEaD" as const,
      launchpad: launchpad.address,
      pair: pairs[0]?.address,
      trader: chain.traders[0],
      other: chain.traders[1],
    }[name];
  }

  type Emission = { emitter: LogEmitter | undefined; raw: RawLog };

  const emission: fc.Arbitrary<() => Emission> = fc.oneof(
    tokenIndex.map((index) => () => ({
      emitter: factory,
      raw: created(tokens[index]?.address ?? "0x", `Token ${index}`, "T"),
    })),
    fc.tuple(tokenIndex, party, party, amount).map(([index, from, to, value]) => () => ({
      emitter: tokens[index],
      raw: log(launchTokenAbi, "Transfer", { from: addressOf(from), to: addressOf(to), value }),
    })),
    fc.tuple(tokenIndex, amount, amount, amount).map(([index, bnb, supply, total]) => () => ({
      emitter: launchpad,
      raw: log(launchpadAbi, "CurveOpened", {
        token: tokens[index]?.address,
        creator: chain.traders[0],
        burnPercent: 0,
        virtualBnbReserves: bnb,
        virtualTokenReserves: supply,
        totalToSell: total,
      }),
    })),
    fc
      .tuple(tokenIndex, fc.boolean(), amount, amount, amount, amount)
      .map(([index, isBuy, bnbAmount, tokenAmount, virtualBnbReserves, virtualTokenReserves]) => () => ({
        emitter: launchpad,
        raw: log(launchpadAbi, "Trade", {
          token: tokens[index]?.address,
          trader: chain.traders[2],
          isBuy,
          bnbAmount,
          tokenAmount,
          virtualBnbReserves,
          virtualTokenReserves,
        }),
      })),
    fc.tuple(tokenIndex, pairIndex).map(([token, pair]) => () => ({
      emitter: launchpad,
      raw: log(launchpadAbi, "Graduated", graduation(token, pair)),
    })),
    fc.tuple(pairIndex, uint112, uint112).map(([index, reserve0, reserve1]) => () => ({
      emitter: pairs[index],
      raw: log(dexPairAbi, "Sync", { reserve0, reserve1 }),
    })),
    fc
      .tuple(pairIndex, amount, amount, amount, amount)
      .map(([index, amount0In, amount1In, amount0Out, amount1Out]) => () => ({
        emitter: pairs[index],
        raw: log(dexPairAbi, "Swap", {
          sender: chain.traders[0],
          to: chain.traders[0],
          amount0In,
          amount1In,
          amount0Out,
          amount1Out,
        }),
      })),
    fc
      .tuple(pairIndex, fc.constantFrom("Mint", "Burn"), amount, amount)
      .map(([index, eventName, amount0, amount1]) => () => ({
        emitter: pairs[index],
        raw: log(dexPairAbi, eventName, {
          sender: chain.traders[0],
          to: chain.traders[0],
          amount0,
          amount1,
        }),
      })),
  );

  test("any events in any order with any amounts: the indexer continues, and no token, trade or liquidity change is missing", async () => {
    const expectedLiquidity = new Set<string>();
    const [graduated, sync] = [
      log(launchpadAbi, "Graduated", graduation(0, 0)),
      log(dexPairAbi, "Sync", { reserve0: 0n, reserve1: 0n }),
    ].map(({ topics }) => topics[0]);
    const liquidityTopics = ["Mint", "Burn"].map(
      (name) => log(dexPairAbi, name, { amount0: 0n, amount1: 0n }).topics[0],
    );
    /** Pairs named by a graduation, and those of them that have reported reserves since. */
    const [opened, synced] = [new Set<string>(), new Set<string>()];
    const expectedTrades = new Set<string>();
    const announced = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(emission, { minLength: 1, maxLength: 25 }), async (emissions) => {
        // All in one block, so that the order within a block is random as well.
        await chain.testClient.setAutomine(false);
        for (const make of emissions) {
          const { emitter, raw } = make();
          await emitter?.submit([raw]);
        }
        await chain.testClient.mine({ blocks: 1 });
        await chain.testClient.setAutomine(true);

        const head = await chain.head();
        for (const made of await chain.publicClient.getLogs({ fromBlock: head, toBlock: head })) {
          if (made.topics[0] === created(made.address, "", "").topics[0] && made.topics[1]) {
            announced.add(`0x${made.topics[1].slice(26)}`);
          }
          if (made.topics[0] === log(launchpadAbi, "Trade", noTrade()).topics[0]) {
            expectedTrades.add(`${made.blockNumber}-${made.logIndex}`);
          }
          const pair = made.topics[0] === graduated ? `0x${made.topics[2]?.slice(26)}` : made.address;
          const isFirst = made.topics[0] === graduated && !opened.has(pair);
          if (isFirst || (liquidityTopics.includes(made.topics[0]) && synced.has(pair))) {
            expectedLiquidity.add(`${made.blockNumber}-${made.logIndex}`);
          }
          if (made.topics[0] === graduated) opened.add(pair);
          if (made.topics[0] === sync && opened.has(pair)) synced.add(pair);
        }
        await indexer.untilIndexed(97, head);
      }),
      { numRuns: sized({ usual: 8, long: 40 }), endOnFailure: true },
    );

    const placesOf = async (rows: string) =>
      (await database.query(`select block, log_index from onchain.${rows} and chain_id = 97`)).map(
        (row) => `${row.block}-${row.log_index}`,
      );
    expect((await placesOf("trade where venue = 'curve'")).sort()).toEqual([...expectedTrades].sort());
    expect((await placesOf("liquidity_change where true")).sort()).toEqual([...expectedLiquidity].sort());
    expect(expectedLiquidity.size).toBeGreaterThan(opened.size);
    const names = await tokenNames();
    for (const [index, token] of tokens.entries()) {
      expect(names.get(token.address)?.name).toBe(
        announced.has(token.address) ? `Token ${index}` : undefined,
      );
    }
    const impossible = await database.query(
      `select * from onchain.holder where chain_id = 97
       and (balance_raw < 0 or balance_raw >= 2::numeric ^ 256 or (kind = 'account' and account = $1))`,
      [launchpad.address],
    );
    expect(impossible).toEqual([]);
  });

  test("transfers of more than their sender has are counted for their chain, and the log names one", async () => {
    const [token] = tokens;
    const value = 1n;
    await factory.emit([created(token?.address ?? "0x", "Token 0", "T")]);
    // From an account that no other test uses.
    const from = `0x${"5".repeat(40)}` as const;
    await token?.emit([log(launchTokenAbi, "Transfer", { from, to: chain.traders[0], value })]);
    await indexer.untilIndexed(97, await chain.head());
    const metrics = await (await fetch(`http://127.0.0.1:${served().metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/^launchpad_overdrafts_total\{chain="97"\} [1-9]/m);
    expect(metrics).toMatch(/^launchpad_overdrafts_total\{chain="56"\} 0$/m);
    expect(indexer.output()).toMatch(
      /chain 97: 0x[0-9a-f]{40} sent \d+ base units of 0x[0-9a-f]{40}, but has \d+/,
    );
  });

  const noTrade = () => ({
    token: tokens[0]?.address,
    trader: chain.traders[0],
    isBuy: true,
    bnbAmount: 0n,
    tokenAmount: 0n,
    virtualBnbReserves: 0n,
    virtualTokenReserves: 0n,
  });
}
