import { fromUnits } from "../format/number.ts";

/** What a buy leaves for the gas of this and the next transactions, in wei: 0.001 BNB is some five trades at 1 gwei. */
export const gasReserve = 10n ** 15n;

/** What an account can pay in; undefined while it isn't known. */
export type Spendable = { balance: bigint; most: bigint } | undefined;

/** Base units of what is paid in: for a buy, gas comes on top. */
export function spendable(side: "buy" | "sell", balance: bigint | undefined): Spendable {
  if (balance === undefined) return undefined;
  const reserve = side === "buy" ? gasReserve : 0n;
  return { balance, most: balance > reserve ? balance - reserve : 0n };
}

/** BNB amounts that the page fills in have at most six decimals, so that they can be read. */
const bnbStep = 10n ** 12n;

/** A share of what can be paid in, as text for the field. Shares of tokens are exact: nothing is left of all of them. */
export function shareOf(side: "buy" | "sell", most: bigint, percent: bigint): string {
  const share = (most * percent) / 100n;
  return fromUnits(side === "buy" ? share - (share % bnbStep) : share);
}
