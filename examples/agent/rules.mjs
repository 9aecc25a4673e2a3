/* When the agent buys and sells. All figures come from the API; none of these functions asks or sends anything. */

/** Change these first. */
export const rules = {
  slippagePercent: 3,
  maxPriceImpactPercent: 6,
  takeProfitPercent: 20,
  stopLossPercent: 12,
  maxHoldMinutes: 5,
  minTraders: 3,
  minRisePercent: 2,
  maxRisePercent: 60,
  maxCreatorOfSupplyPercent: 5,
  maxInsiderPercent: 10,
  maxSniperPercent: 25,
};

/** Why not to touch a token, whatever its price does; undefined if nothing speaks against it. */
export function dangerOf({ risk, creatorRecord, hidden }) {
  if (hidden) return "the operator has hidden it";
  // Of the whole supply: of a new token, its creator has all that was bought.
  const { creatorOfSupplyPercent } = risk;
  if (creatorOfSupplyPercent > rules.maxCreatorOfSupplyPercent)
    return `its creator holds ${creatorOfSupplyPercent} %`;
  if ((risk.insidersPercent ?? 0) > rules.maxInsiderPercent) return `insiders hold ${risk.insidersPercent} %`;
  if ((risk.snipersPercent ?? 0) > rules.maxSniperPercent) return `snipers hold ${risk.snipersPercent} %`;
  if (risk.creatorSoldOut) return "its creator has sold out";
  if (creatorRecord.tokensSoldOut > 0)
    return `its creator has sold out ${creatorRecord.tokensSoldOut} tokens`;
  return undefined;
}

/** Why to buy a token that is on the move; undefined if it isn't, or has moved too far already. */
export function momentumReason({ windows }) {
  const { traders, buys, sells, priceChangePercent } = windows["5m"];
  if (traders < rules.minTraders || buys <= sells) return undefined;
  if (priceChangePercent === null) return undefined;
  if (priceChangePercent < rules.minRisePercent || priceChangePercent > rules.maxRisePercent)
    return undefined;
  return `momentum: ${priceChangePercent} % with ${traders} traders in 5 minutes`;
}

/**
 * Why to sell a position; undefined to keep it. What counts is what a sale would bring, after fees and its own effect on the price, and not the
 * price of the last trade.
 */
export function exitReason({ exitBnb, openCostWei }, heldMinutes) {
  // No quote for the DEX at the moment: nothing to compare.
  if (exitBnb === null) return undefined;
  const gainPercent = (Number(exitBnb) / (Number(openCostWei) / 1e18) - 1) * 100;
  const gain = `${gainPercent.toFixed(1)} %`;
  if (gainPercent >= rules.takeProfitPercent) return `take-profit: ${gain}`;
  if (gainPercent <= -rules.stopLossPercent) return `stop-loss: ${gain}`;
  if (heldMinutes >= rules.maxHoldMinutes) return `held long enough: ${gain}`;
  return undefined;
}
