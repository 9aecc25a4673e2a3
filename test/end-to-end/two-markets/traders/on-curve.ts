import type { Address } from "viem";
import { launchpadAbi } from "../../../../abis/Launchpad.ts";
import { tokenFactoryAbi } from "../../../../abis/TokenFactory.ts";
import { agentCall, everything } from "../../../chain/agent.ts";
import { burnAddress, type Cast, one, spent, type TraderCase, two } from "./cast.ts";

const forever = 2n ** 32n;

/** Cases on a token's curve. */
export async function curveCases(cast: Cast): Promise<TraderCase[]> {
  const { chain, launchpad, alice, bob, carol, relayer, wallet, keeper, bot, helper, splitter } = cast;
  const { buy, sell, transfer, pull, burn, ask } = cast.calls;
  const token = await chain.create(carol, "Followed", "FLW");
  for (const account of [alice, bob, carol]) await chain.buy(account, token, 10n ** 15n);
  for (const agent of [wallet, keeper]) {
    await chain.buy(relayer, token, 10n ** 15n);
    await chain.transfer(relayer, token, agent, await chain.balanceOf(token, relayer));
  }
  await cast.approve(token, launchpad);
  const trade = (name: string, args: unknown[], value = 0n) =>
    agentCall(launchpad, launchpadAbi, name, args, { value });
  const nothing = (from: Address, to: Address) => pull(token, from, to, 0n);

  return [
    cast.case("a relayer lets a contract wallet buy", wallet, [buy(token, spent)], [["buy", wallet]]),
    cast.case("a relayer lets a contract wallet sell", wallet, [sell(token, one)], [["sell", wallet]]),
    cast.case(
      "a bot buys and passes on",
      bot,
      [buy(token, spent), transfer(token, alice, everything)],
      [["buy", alice]],
    ),
    cast.case(
      "a bot passes on over two hops",
      bot,
      [
        buy(token, spent),
        transfer(token, helper, everything),
        ask(helper, [transfer(token, bob, everything)]),
      ],
      [["buy", bob]],
    ),
    cast.case(
      "a bot keeps a fee in tokens",
      splitter,
      [buy(token, spent), transfer(token, carol, { percent: 1 }), transfer(token, alice, everything)],
      [["buy", splitter]],
    ),
    cast.case(
      "an airdrop of what was bought",
      splitter,
      [
        buy(token, spent),
        transfer(token, alice, { percent: 30 }),
        transfer(token, bob, { percent: 50 }),
        transfer(token, carol, everything),
      ],
      [["buy", splitter]],
    ),
    cast.case(
      "a bot sells a user's tokens",
      bot,
      [pull(token, alice, bot, one), sell(token, one)],
      [["sell", alice]],
    ),
    cast.case(
      "a bot sells what its fee leaves",
      bot,
      [pull(token, alice, bot, one), transfer(token, carol, one / 100n), sell(token, (one * 99n) / 100n)],
      [["sell", alice]],
    ),
    cast.case(
      "a seller collects from several accounts",
      bot,
      [pull(token, alice, bot, one), pull(token, bob, bot, two), sell(token, one + two)],
      [["sell", bot]],
    ),
    cast.case(
      "sells of several users, of distinct amounts",
      bot,
      [pull(token, alice, bot, one), pull(token, bob, bot, two), sell(token, two), sell(token, one)],
      [
        ["sell", bob],
        ["sell", alice],
      ],
    ),
    cast.case(
      "sells of several users, of equal amounts",
      bot,
      [pull(token, alice, bot, one), pull(token, bob, bot, one), sell(token, one), sell(token, one)],
      [
        ["sell", alice],
        ["sell", bob],
      ],
    ),
    cast.case(
      "equal sells by two contracts",
      keeper,
      [sell(token, one), ask(wallet, [sell(token, one)])],
      [
        ["sell", keeper],
        ["sell", wallet],
      ],
    ),
    cast.case(
      "buys for several users, passed on one by one",
      bot,
      [
        buy(token, spent),
        transfer(token, alice, everything),
        buy(token, spent),
        transfer(token, bob, everything),
      ],
      [
        ["buy", alice],
        ["buy", bob],
      ],
    ),
    cast.case(
      "buys that are passed on as a sum",
      bot,
      [buy(token, spent), buy(token, 2n * spent), transfer(token, alice, everything)],
      [
        ["buy", alice],
        ["buy", alice],
      ],
    ),
    cast.case(
      "what is bought is lent, and passed on when it is back",
      splitter,
      [
        buy(token, spent),
        transfer(token, helper, { percent: 80 }),
        ask(helper, [transfer(token, splitter, everything)]),
        transfer(token, alice, everything),
      ],
      [["buy", alice]],
    ),
    cast.case(
      "buys whose sum is split",
      splitter,
      [
        buy(token, spent),
        buy(token, spent),
        transfer(token, alice, { percent: 30 }),
        transfer(token, bob, everything),
      ],
      [
        ["buy", splitter],
        ["buy", splitter],
      ],
    ),
    cast.case(
      "a contract buys and sells",
      splitter,
      [buy(token, spent), sell(token, everything)],
      [
        ["buy", splitter],
        ["sell", splitter],
      ],
    ),
    cast.case(
      "a contract buys, another sells the same tokens",
      splitter,
      [buy(token, spent), transfer(token, helper, everything), ask(helper, [sell(token, everything)])],
      [
        ["buy", helper],
        ["sell", helper],
      ],
    ),
    cast.case(
      "buying and burning",
      splitter,
      [buy(token, spent), burn(token, everything)],
      [["buy", splitter]],
    ),
    cast.case(
      "buying and sending to a burn address",
      splitter,
      [buy(token, spent), transfer(token, burnAddress, everything)],
      [["buy", splitter]],
    ),
    cast.case(
      "buying and sending back to the launchpad",
      splitter,
      [buy(token, spent), transfer(token, launchpad, everything)],
      [["buy", splitter]],
    ),
    cast.case(
      "transfers of nothing and to oneself",
      bot,
      [
        nothing(bob, carol),
        buy(token, spent),
        nothing(bot, bob),
        transfer(token, bot, everything),
        transfer(token, alice, everything),
        nothing(alice, carol),
      ],
      [["buy", alice]],
    ),
    cast.case(
      "a mistake of the same amount before a sell",
      bot,
      [
        pull(token, bob, bot, one),
        transfer(token, launchpad, one),
        pull(token, alice, bot, one),
        sell(token, one),
      ],
      [["sell", alice]],
    ),
    cast.case(
      "a contract creates a token and buys",
      bot,
      [
        agentCall(
          chain.deployment.tokenFactory,
          tokenFactoryAbi,
          "createTokenAndBuy",
          ["By a bot", "BOT", 50, `0x${"0".repeat(64)}`, 0n],
          { value: spent },
        ),
      ],
      [["buy", bot]],
    ),
    cast.case(
      "a contract creates a token, and buys for somebody else",
      bot,
      [
        agentCall(
          chain.deployment.tokenFactory,
          tokenFactoryAbi,
          "createFor",
          ["For Alice", "ALICE", 50, `0x${"0".repeat(64)}`, 0n, alice],
          { value: spent },
        ),
      ],
      [["buy", alice]],
    ),
    cast.case(
      "a bot buys for others, with a limit and exactly",
      bot,
      [
        trade("buyFor", [token, alice, 1n, forever], spent),
        trade("buyExactOut", [token, bob, one, forever], spent),
      ],
      [
        ["buy", alice],
        ["buy", bob],
      ],
    ),
    cast.case(
      "a contract wallet sells, and others get the BNB",
      wallet,
      [trade("sellTo", [token, carol, one, 0n, forever])],
      [["sell", wallet]],
    ),
    cast.case(
      "a bot sells a user's tokens, and the user gets the BNB",
      bot,
      [pull(token, alice, bot, one), trade("sellTo", [token, alice, one, 0n, forever])],
      [["sell", alice]],
    ),
  ];
}
