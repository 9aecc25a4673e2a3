import { useMemo } from "preact/hooks";
import { chainId } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { useResource } from "../data/resource.ts";
import { fromUnits } from "../format/number.ts";
import { account } from "../wallet/connection.ts";
import type { MarkedTrade } from "./chart-data.ts";
import { type Events, type TokenDetails, type Trade, useChanges } from "./data.ts";

/** The number of an account's latest trades that are marked, which is what one request returns. */
const maxTrades = 100;

async function readTrades(mint: string, trader: string | undefined): Promise<Trade[]> {
  if (trader === undefined) return [];
  const query = { mint, trader, chainId: chainId.peek(), limit: maxTrades };
  return (await dataOf(api.GET("/api/trades", { params: { query } }))).trades;
}

/**
 * The trades of the visitor and of the token's creator, for the chart.
 *
 * @param events those of the token's stream: one of these accounts is a reason to read its trades again
 */
export function useMarkedTrades({ mint, creator }: TokenDetails, events: Events): readonly MarkedTrade[] {
  const visitor = account.value;
  const chain = chainId.value ?? "";
  const ofCreator = useResource(`marks ${mint} ${creator} ${chain}`, () => readTrades(mint, creator));
  const ofVisitor = useResource(`marks ${mint} ${visitor} ${chain}`, () => readTrades(mint, visitor));
  useChanges(events, (event) => {
    if (event.kind !== "trade") return;
    if (event.trader === creator) void ofCreator.reload();
    if (event.trader === visitor) void ofVisitor.reload();
  });
  const [creators, visitors] = [ofCreator.data.value, ofVisitor.data.value];
  return useMemo(() => {
    const own = (visitors ?? []).map((trade) => toMarked(trade, "you"));
    // A creator who looks at their own token is "you".
    const others = creator === visitor ? [] : (creators ?? []).map((trade) => toMarked(trade, "creator"));
    return [...own, ...others].sort((one, other) => one.time - other.time);
  }, [creators, visitors, creator, visitor]);
}

const toMarked = (trade: Trade, who: MarkedTrade["who"]): MarkedTrade => ({
  id: trade.id,
  time: Math.floor(Date.parse(trade.timestamp) / 1_000),
  side: trade.side,
  who,
  bnb: Number(fromUnits(trade.bnbAmountWei)),
});
