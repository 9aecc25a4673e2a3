import type { TokenDetails } from "../../tokens/entry/token-entry.schema.ts";

type Buy = { amountBnb: string; priceImpactPercent: number | null };

type Facts = Pick<
  TokenDetails,
  "risk" | "creatorRecord" | "holderCount" | "verified" | "registered" | "lastTradeAt"
> & { lookAlike: Pick<NonNullable<TokenDetails["lookAlike"]>, "mint" | "same" | "reason"> | null };

/** Returns warnings about a token, in our own words, each starting with its code. */
export function findFlags(token: Facts, buys: Buy[]): string[] {
  const { risk, creatorRecord, holderCount, verified, registered, lastTradeAt, lookAlike } = token;
  const { earlyBuyers, bundlers, insiders, effectiveHolders, creatorSoldOut, creatorGraduated } = risk;
  const { creatorPercent, top10Percent, earlyBuyersPercent, bundlersPercent, insidersPercent } =
    knownShares(risk);
  const { tokensCreated, tokensGraduated, tokensSoldOut } = creatorRecord;
  const costly = buys.find(
    ({ priceImpactPercent }) => priceImpactPercent !== null && priceImpactPercent >= 10,
  );
  const untradable = buys.every(({ priceImpactPercent }) => priceImpactPercent === null);

  const flags: [boolean, string][] = [
    [
      creatorPercent >= 10,
      `creator_holds_much: the creator holds ${creatorPercent} % of the circulating supply.`,
    ],
    [
      top10Percent >= 50,
      `concentrated: the ten largest holders have ${top10Percent} % of the circulating supply.`,
    ],
    [
      holderCount >= 10 && effectiveHolders !== null && effectiveHolders < 5,
      `few_effective_holders: its ${holderCount} holders are as concentrated as ${effectiveHolders} equal ones.`,
    ],
    [
      earlyBuyersPercent >= 15,
      `snipers: the ${earlyBuyers} accounts that bought in the first three blocks hold ${earlyBuyersPercent} % of the circulating supply.`,
    ],
    [
      bundlersPercent >= 10,
      `bundled: the ${bundlers} accounts that bought in the block of the launch, without the creator, hold ${bundlersPercent} % of the circulating supply.`,
    ],
    [
      insidersPercent >= 10,
      `insiders: the ${insiders} accounts that got it from the creator, directly or over others, hold ${insidersPercent} % of the circulating supply.`,
    ],
    [creatorSoldOut, "creator_left: the creator held this token and no longer holds any."],
    [creatorGraduated === true, "creator_graduated_it: the creator made the buy that graduated it."],
    [
      tokensSoldOut >= 1,
      `creator_sold_out: the creator has sold out of ${tokensSoldOut} of its ${tokensCreated} tokens.`,
    ],
    [
      tokensCreated >= 5 && tokensGraduated === 0,
      `serial_creator: none of the creator's ${tokensCreated} tokens has graduated.`,
    ],
    [holderCount < 10, `few_holders: fewer than 10 accounts hold it (${holderCount}).`],
    [lastTradeAt === null, "never_traded: nobody has traded it."],
    [
      lookAlike !== null,
      `look_alike: its ${lookAlike?.same.join(" and ")} looks like that of ${lookAlike?.mint}, which is ${lookAlike?.reason}. Compare mints.`,
    ],
    [!registered, "not_registered: nobody has registered it, so it has no description."],
    [registered && !verified, "not_verified: its description and links are not signed by its creator."],
    [untradable, "not_tradable: a small buy can't be made now."],
    [
      costly !== undefined,
      `thin_liquidity: a buy of ${costly?.amountBnb} BNB brings ${costly?.priceImpactPercent} % fewer tokens than at the price before it.`,
    ],
  ];
  return flags.flatMap(([applies, text]) => (applies ? [text] : []));
}

/** Shares in percent, with 0 for unknown ones. */
function knownShares({
  creatorPercent,
  top10Percent,
  earlyBuyersPercent,
  bundlersPercent,
  insidersPercent,
}: Facts["risk"]) {
  return {
    creatorPercent: creatorPercent ?? 0,
    top10Percent: top10Percent ?? 0,
    earlyBuyersPercent: earlyBuyersPercent ?? 0,
    bundlersPercent: bundlersPercent ?? 0,
    insidersPercent: insidersPercent ?? 0,
  };
}
