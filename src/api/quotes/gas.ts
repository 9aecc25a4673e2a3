/**
 * Gas limits that hold in the most expensive circumstances that anybody else can create before a transaction is mined, which an
 * estimate doesn't foresee. Each has a margin above what was measured: contracts/gas-bounds.test.ts.
 */
export const gasLimits = {
  /** As ILaunchpad.buy recommends: any buy may turn out to be the one that graduates the token. */
  curveBuy: 400_000,
  /** The account that is paid may be one with code (EIP-7702), which runs. */
  curveSell: 200_000,
  permitSell: 250_000,
  /** As ITokenFactory.createTokenAndBuy recommends: the buy may graduate the token at once. */
  firstBuy: 4_600_000,
  creation: 4_300_000,
  /** The pair updates its cumulative prices if its last trade was in another second. */
  dexTrade: 250_000,
  approval: 80_000,
};
