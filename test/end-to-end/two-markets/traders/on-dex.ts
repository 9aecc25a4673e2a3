import { type Address, encodeFunctionData } from "viem";
import { dexFactoryAbi } from "../../../../abis/DexFactory.ts";
import { dexPairAbi } from "../../../../abis/DexPair.ts";
import { dexRouterAbi } from "../../../../abis/DexRouter.ts";
import { launchTokenAbi } from "../../../../abis/LaunchToken.ts";
import { wbnbAbi } from "../../../../abis/Wbnb.ts";
import { type AgentCall, agentCall, everything } from "../../../chain/agent.ts";
import type { Pools } from "../served.ts";
import { burnAddress, type Cast, lower, one, spent, type TraderCase, two } from "./cast.ts";

/** Tokens that somebody sends to the pair by mistake. */
const mistake = 10n ** 20n;

/** Cases on the pairs of two tokens, one of which is its pair's token0 and one token1, and on a pair of the two tokens. */
export async function dexCases(cast: Cast, pools: Pools): Promise<TraderCase[]> {
  const { chain, alice, wallet, keeper, relayer, router } = cast;
  for (const { token } of [pools.first, pools.second]) {
    for (const account of [alice, cast.bob, cast.carol, relayer]) {
      await chain.buyOnDex(account, token, 10n ** 15n);
    }
    const quarter = (await chain.balanceOf(token, relayer)) / 4n;
    for (const agent of [wallet, keeper]) await chain.transfer(relayer, token, agent, quarter);
    await cast.approve(token, router);
  }
  const other = await openPair(cast, pools);
  return [
    ...(await casesOnPair(cast, { ...pools.first, isToken0: true, other, through: pools.second.token })),
    ...(await casesOnPair(cast, { ...pools.second, isToken0: false, other, through: pools.first.token })),
  ];
}

/** Opens a pair of the two tokens, which the launchpad has nothing to do with. */
async function openPair({ chain, alice, router }: Cast, { first, second }: Pools): Promise<Address> {
  const amount = 10n ** 23n;
  const args = [first.token, second.token, amount, amount, 0n, 0n, alice, 2n ** 32n] as const;
  await chain.send(
    alice,
    router,
    encodeFunctionData({ abi: dexRouterAbi, functionName: "addLiquidity", args }),
  );
  const pair = await chain.publicClient.readContract({
    address: chain.deployment.dexFactory,
    abi: dexFactoryAbi,
    functionName: "getPair",
    args: [first.token, second.token],
  });
  return lower(pair);
}

type Pool = { token: Address; pair: Address; isToken0: boolean; other: Address; through: Address };

async function casesOnPair(cast: Cast, pool: Pool): Promise<TraderCase[]> {
  const { chain, launchpad, router, alice, bob, carol, wallet, keeper, bot, helper, splitter } = cast;
  const { buyOnDex, buyExactly, sellOnDex, swapTokens, addLiquidity } = cast.calls;
  const { transfer, pull, burn, ask, swap } = cast.calls;
  const { token, pair, isToken0, other, through } = pool;
  const { wbnb } = chain.deployment;

  /** Swaps without a router: what the pair sends out, to whom, and the calls that pay for it. */
  const swapOut = ({ tokens = 0n, bnb = 0n }, to: Address, list?: AgentCall[]) =>
    swap(pair, isToken0 ? [tokens, bnb] : [bnb, tokens], to, list);
  const payBnb = (value: bigint) => [
    agentCall(wbnb, wbnbAbi, "deposit", [], { value }),
    agentCall(wbnb, wbnbAbi, "transfer", [pair, value]),
  ];
  const sent = (from: Address, to: Address, amount: bigint) => ({
    from,
    to: token,
    data: encodeFunctionData({ abi: launchTokenAbi, functionName: "transfer", args: [to, amount] }),
  });
  const named = (what: string) => `${what} (token${isToken0 ? 0 : 1})`;
  const dexCase = (what: string, ...rest: [Address, AgentCall[], TraderCase["deals"]]) =>
    cast.case(named(what), ...rest);

  // Liquidity to remove.
  await chain.addLiquidity(bob, token, two, 10n ** 18n);
  await chain.send(
    bob,
    pair,
    encodeFunctionData({ abi: dexPairAbi, functionName: "approve", args: [router, 2n ** 255n] }),
  );
  const liquidity = (await chain.balanceOf(pair, bob)) / 10n;
  await chain.transfer(bob, pair, wallet, 2n * liquidity);
  const removal = encodeFunctionData({
    abi: dexRouterAbi,
    functionName: "removeLiquidityETH",
    args: [token, liquidity, 0n, 0n, carol, 2n ** 32n],
  });

  return [
    dexCase(
      "a relayer lets a contract wallet buy",
      wallet,
      [buyOnDex(token, wallet, spent)],
      [["buy", wallet]],
    ),
    dexCase(
      "a relayer lets a contract wallet sell",
      wallet,
      [sellOnDex(token, wallet, one)],
      [["sell", wallet]],
    ),
    dexCase("a bot lets the router send to a user", bot, [buyOnDex(token, alice, spent)], [["buy", alice]]),
    dexCase(
      "a bot buys and passes on",
      bot,
      [buyOnDex(token, bot, spent), transfer(token, alice, everything)],
      [["buy", alice]],
    ),
    dexCase(
      "a bot keeps a fee in tokens",
      splitter,
      [
        buyOnDex(token, splitter, spent),
        transfer(token, carol, { percent: 1 }),
        transfer(token, alice, everything),
      ],
      [["buy", splitter]],
    ),
    dexCase(
      "an aggregator sells over two hops, and keeps a fee",
      helper,
      [
        pull(token, alice, helper, one),
        transfer(token, carol, one / 100n),
        transfer(token, bot, (one * 99n) / 100n),
        ask(bot, [sellOnDex(token, helper, (one * 99n) / 100n)]),
      ],
      [["sell", alice]],
    ),
    dexCase(
      "buys for several users, of distinct amounts",
      bot,
      [
        buyExactly(token, bot, one),
        buyExactly(token, bot, two),
        transfer(token, bob, two),
        transfer(token, alice, one),
      ],
      [
        ["buy", alice],
        ["buy", bob],
      ],
    ),
    dexCase(
      "buys for several users, of equal amounts",
      bot,
      [
        buyExactly(token, bot, one),
        buyExactly(token, bot, one),
        transfer(token, alice, one),
        transfer(token, bob, one),
      ],
      [
        ["buy", alice],
        ["buy", bob],
      ],
    ),
    dexCase(
      "buys that are passed on as a sum",
      bot,
      [buyExactly(token, bot, one), buyExactly(token, bot, two), transfer(token, alice, one + two)],
      [
        ["buy", alice],
        ["buy", alice],
      ],
    ),
    dexCase(
      "buys for several users, and a fee from older tokens",
      keeper,
      [
        buyExactly(token, keeper, one),
        buyExactly(token, keeper, two),
        transfer(token, carol, 1n),
        transfer(token, alice, one),
        transfer(token, bob, two),
      ],
      [
        ["buy", alice],
        ["buy", bob],
      ],
    ),
    dexCase(
      "a contract buys and sells",
      splitter,
      [buyOnDex(token, splitter, spent), sellOnDex(token, splitter, everything)],
      [
        ["buy", splitter],
        ["sell", splitter],
      ],
    ),
    dexCase(
      "a contract buys, another sells the same tokens",
      splitter,
      [
        buyOnDex(token, splitter, spent),
        transfer(token, helper, everything),
        ask(helper, [sellOnDex(token, helper, everything)]),
      ],
      [
        ["buy", helper],
        ["sell", helper],
      ],
    ),
    dexCase(
      "buying and burning",
      splitter,
      [buyOnDex(token, splitter, spent), burn(token, everything)],
      [["buy", splitter]],
    ),
    dexCase(
      "buying and sending to a burn address",
      splitter,
      [buyOnDex(token, splitter, spent), transfer(token, burnAddress, everything)],
      [["buy", splitter]],
    ),
    dexCase("buying to a burn address", bot, [buyOnDex(token, burnAddress, spent)], [["buy", router]]),
    dexCase(
      "buying to a burn address, after somebody got what was too much",
      bot,
      [
        pull(token, bob, pair, one),
        agentCall(pair, dexPairAbi, "skim", [carol]),
        buyOnDex(token, burnAddress, spent),
      ],
      [["buy", router]],
    ),
    dexCase("buying to the launchpad", bot, [buyOnDex(token, launchpad, spent)], [["buy", router]]),
    dexCase(
      "buying and sending to the launchpad",
      splitter,
      [buyOnDex(token, splitter, spent), transfer(token, launchpad, everything)],
      [["buy", splitter]],
    ),
    dexCase(
      "transfers of nothing and to oneself",
      bot,
      [
        pull(token, bob, pair, 0n),
        buyOnDex(token, bot, spent),
        pull(token, pair, carol, 0n),
        transfer(token, bot, everything),
        transfer(token, alice, everything),
        pull(token, alice, carol, 0n),
      ],
      [["buy", alice]],
    ),
    dexCase(
      "a mistake before a sell",
      bot,
      [
        pull(token, bob, bot, mistake),
        transfer(token, pair, mistake),
        pull(token, alice, bot, one),
        sellOnDex(token, bot, one),
      ],
      [["sell", alice]],
    ),
    {
      what: named("tokens that had reached the pair before"),
      transactions: [sent(alice, pair, one), cast.by(bot, [swapOut({ bnb: 1_000n }, carol)])],
      deals: [["sell", bot]],
    },
    {
      what: named("more of them than the swap takes out"),
      transactions: [sent(alice, pair, one), cast.by(bot, [swapOut({ tokens: one / 2n }, carol)])],
      deals: [["sell", bot]],
    },
    dexCase(
      "a gift that the pair counts, and a buy",
      bot,
      [
        pull(token, bob, pair, two),
        agentCall(pair, dexPairAbi, "sync"),
        buyExactly(token, bot, one),
        transfer(token, alice, one),
      ],
      [["buy", alice]],
    ),
    dexCase(
      "tokens that the pair gives back, and a buy",
      bot,
      [
        pull(token, bob, pair, one),
        agentCall(pair, dexPairAbi, "skim", [carol]),
        buyOnDex(token, alice, spent),
      ],
      [["buy", alice]],
    ),
    dexCase(
      "buying a token over this one",
      bot,
      [buyOnDex(through, bot, spent, [wbnb, token, through])],
      [["buy", other]],
    ),
    dexCase(
      "selling a token over this one",
      bot,
      [pull(through, alice, bot, one), sellOnDex(through, bot, one, [through, token, wbnb])],
      [["sell", other]],
    ),
    dexCase(
      "selling what was bought for another token",
      bot,
      [
        pull(through, alice, bot, one),
        swapTokens([through, token], bot, one),
        sellOnDex(token, bot, one / 10n),
      ],
      [["sell", other]],
    ),
    dexCase(
      "liquidity of a user's tokens, for another",
      bot,
      [pull(token, alice, bot, one), addLiquidity(token, carol, one, 10n ** 16n)],
      [["add", carol]],
    ),
    dexCase(
      "buying and adding liquidity",
      splitter,
      [
        buyOnDex(token, splitter, spent),
        addLiquidity(token, bob, { percent: 100 }, 10n ** 16n),
        transfer(token, bob, everything),
      ],
      [
        ["buy", splitter],
        ["add", bob],
      ],
    ),
    dexCase(
      "a zap that adds what it bought, and passes the liquidity tokens on",
      splitter,
      [
        buyOnDex(token, splitter, spent),
        addLiquidity(token, splitter, { percent: 50 }, 10n ** 16n),
        transfer(pair, helper, everything),
        ask(helper, [transfer(pair, carol, everything)]),
      ],
      [
        ["buy", splitter],
        ["add", carol],
      ],
    ),
    {
      what: named("removing liquidity through the router"),
      transactions: [{ from: bob, to: router, data: removal }],
      deals: [["remove", bob]],
    },
    dexCase(
      "removing liquidity for another",
      wallet,
      [transfer(pair, pair, liquidity), agentCall(pair, dexPairAbi, "burn", [alice])],
      [["remove", wallet]],
    ),
    dexCase(
      "removing and selling",
      wallet,
      [
        transfer(pair, pair, liquidity),
        agentCall(pair, dexPairAbi, "burn", [splitter]),
        ask(splitter, [sellOnDex(token, splitter, everything)]),
      ],
      [
        ["remove", wallet],
        ["sell", splitter],
      ],
    ),
    dexCase(
      "a flash loan of tokens",
      keeper,
      [swapOut({ tokens: one }, keeper, [transfer(token, pair, one + one / 50n)])],
      [["sell", keeper]],
    ),
    dexCase(
      "a flash swap that sells a user's tokens",
      bot,
      [swapOut({ bnb: 1_000n }, bot, [pull(token, alice, bot, one), transfer(token, pair, one)])],
      [["sell", alice]],
    ),
    dexCase(
      "a flash swap that is paid in BNB, for a user",
      bot,
      [swapOut({ tokens: one }, bot, [transfer(token, alice, one), ...payBnb(10n ** 16n)])],
      [["buy", alice]],
    ),
    dexCase(
      "a flash swap whose tokens are split before it is paid",
      splitter,
      [
        swapOut({ tokens: one }, splitter, [
          transfer(token, carol, { percent: 10 }),
          transfer(token, helper, everything),
          ask(helper, [transfer(token, bob, everything)]),
          ...payBnb(10n ** 16n),
        ]),
      ],
      [["buy", splitter]],
    ),
    dexCase(
      "a flash loan of tokens that is paid back in parts, one of which was lent",
      splitter,
      [
        swapOut({ tokens: two }, splitter, [
          transfer(token, pair, one / 2n),
          transfer(token, helper, one),
          ask(helper, [transfer(token, splitter, everything)]),
          pull(token, alice, splitter, one),
          transfer(token, pair, everything),
        ]),
      ],
      [["sell", splitter]],
    ),
    dexCase(
      "a flash loan of BNB",
      bot,
      [swapOut({ bnb: 10n ** 12n }, bot, payBnb(2n * 10n ** 12n))],
      [["sell", bot]],
    ),
  ];
}
