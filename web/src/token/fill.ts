/* What a mined trade paid and brought, from its receipt's logs. */

/** Trade(address,address,bool,uint256,uint256,uint256,uint256) of the launchpad. */
const tradeTopic = "0x9adcf0ad0cda63c4d50f26a48925cf6405df27d422a39c456b5f03f661c82982";

/** Swap(address,uint256,uint256,uint256,uint256,address) of a DEX pair. */
const swapTopic = "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822";

export type Log = { address: string; topics: string[]; data: string };

/** In wei and in the token's base units. */
export type Fill = { bnb: bigint; tokens: bigint };

type Traded = { mint: string; side: "buy" | "sell"; launchpad: string; pair: string | null };

/** What a trade on the curve or on the DEX paid and brought; undefined if the logs have no such trade. */
export function fillOf(logs: Log[], { mint, side, launchpad, pair }: Traded): Fill | undefined {
  const isFrom = ({ address }: Log, contract: string | null) =>
    address.toLowerCase() === contract?.toLowerCase();
  const trade = logs.find(
    (log) =>
      isFrom(log, launchpad) &&
      log.topics[0] === tradeTopic &&
      log.topics[1]?.slice(-40).toLowerCase() === mint.slice(2).toLowerCase(),
  );
  if (trade !== undefined) {
    const [, bnb = 0n, tokens = 0n] = words(trade.data);
    return { bnb, tokens };
  }
  const swap = logs.find((log) => isFrom(log, pair) && log.topics[0] === swapTopic);
  if (swap === undefined) return undefined;
  // One of the two amounts in is zero, and one of those out.
  const [in0 = 0n, in1 = 0n, out0 = 0n, out1 = 0n] = words(swap.data);
  const [paid, received] = [in0 + in1, out0 + out1];
  return side === "buy" ? { bnb: paid, tokens: received } : { bnb: received, tokens: paid };
}

const words = (data: string): bigint[] =>
  (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
