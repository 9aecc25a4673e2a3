import { everything } from "../../../chain/agent.ts";
import { graduatingAmount } from "../../../chain/launchpad-chain.ts";
import { type Cast, lower, one, spent, type TraderCase } from "./cast.ts";

/** Cases in the transaction in which a token graduates. */
export async function graduationCases(cast: Cast): Promise<TraderCase[]> {
  const { chain, launchpad, alice, bob, carol, bot, splitter, router } = cast;
  const { approve, buy, buyOnDex, buyExactly, sellOnDex, addLiquidity, transfer } = cast.calls;
  const add: TraderCase["deals"][number] = ["add", launchpad];
  const newToken = () => chain.create(carol, "Graduates at once", "GRAD");

  const [sold, passedOn, summed, lost, pooled] = [
    ...[await newToken(), await newToken(), await newToken(), await newToken(), await newToken()],
  ] as const;
  const lostPair = lower(await chain.pairOf(lost));
  return [
    cast.case(
      "buying the rest, and selling on the DEX",
      splitter,
      [
        buy(sold, 2n * graduatingAmount),
        approve(sold, router),
        sellOnDex(sold, splitter, { percent: 50 }),
        sellOnDex(sold, splitter, everything),
      ],
      [["buy", splitter], add, ["sell", splitter], ["sell", splitter]],
    ),
    cast.case(
      "buying the rest for a user, and more on the DEX for another",
      splitter,
      [
        buy(passedOn, 2n * graduatingAmount),
        transfer(passedOn, alice, everything),
        buyOnDex(passedOn, splitter, spent),
        transfer(passedOn, bob, everything),
      ],
      [["buy", alice], add, ["buy", bob]],
    ),
    cast.case(
      "buying from the curve and from the DEX, passed on as a sum",
      splitter,
      [
        buy(summed, 2n * graduatingAmount),
        buyExactly(summed, splitter, one),
        transfer(summed, alice, everything),
      ],
      [["buy", alice], add, ["buy", alice]],
    ),
    cast.case(
      "buying the rest, and sending it to the pair",
      splitter,
      [buy(lost, 2n * graduatingAmount), transfer(lost, lostPair, everything)],
      [["buy", splitter], add],
    ),
    cast.case(
      "buying the rest, and adding to the pair",
      bot,
      [
        buy(pooled, 2n * graduatingAmount),
        approve(pooled, router),
        addLiquidity(pooled, alice, { percent: 10 }, graduatingAmount),
      ],
      [["buy", bot], add, ["add", alice]],
    ),
  ];
}
