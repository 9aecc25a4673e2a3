import { Result } from "../account/result.tsx";
import { chainId } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { useReloadEvery, useResource } from "../data/resource.ts";
import { formatDown } from "../format/number.ts";
import { displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { Fact } from "../parts/fact.tsx";
import { averageCost } from "./average-cost.ts";
import { type Events, useChanges } from "./data.ts";

type AccountPosition = Awaited<ReturnType<typeof readPosition>>;

/** The block that the next read must include. */
let since: number | undefined;

async function readPosition(mint: string, address: string | undefined) {
  if (address === undefined) return { holding: undefined, position: undefined, nativeBalanceBnb: null };
  const query = { mint, chainId: chainId.peek(), minBlock: since };
  const account = await dataOf(api.GET("/api/account/{address}", { params: { path: { address }, query } }));
  const { nativeBalanceBnb } = account;
  return { holding: account.holdings[0], position: account.positions[0], nativeBalanceBnb };
}

/** What no event says changes too: BNB, and what the tokens are worth. */
const reloadMs = 15_000;

const useRead = (mint: string, address: string | undefined) =>
  useResource(`position ${mint} ${address ?? ""} ${chainId.value ?? ""}`, () => readPosition(mint, address));

/** What an account's tokens cost on average, as of the last position that {@link usePosition} has read for the trade panel. */
export function useAverageCost(mint: string, address: string | undefined) {
  const { position } = useRead(mint, address).data.value ?? {};
  return position && averageCost(position);
}

/** An account's holding of a token, its results, and its BNB, also after what it does elsewhere. */
export function usePosition(mint: string, address: string | undefined, events: Events) {
  const resource = useRead(mint, address);
  useReloadEvery(reloadMs, resource);
  useChanges(events, (event) => {
    const isOwn =
      event.kind === "trade"
        ? event.trader === address
        : event.kind === "transfer" && (event.from === address || event.to === address);
    if (isOwn) void resource.reload();
  });
  return {
    ...resource,
    /** Reads the position again, including this block. */
    async readSince(block: number): Promise<void> {
      since = block;
      await resource.reload();
      since = undefined;
    },
  };
}

export function Position({ position, symbol }: { position: AccountPosition | undefined; symbol: string }) {
  const { holding, position: results } = position ?? {};
  const cost = results && averageCost(results);
  if (position === undefined) return null;
  if (holding === undefined && results === undefined) {
    return <p class="small-text muted">{t.trade.youHoldNone}</p>;
  }
  return (
    <dl class="quote position" aria-label={t.trade.yourPosition}>
      <Fact name={t.trade.youHold}>
        {formatDown(holding?.balanceRaw ?? "0", 6)} <bdi>{displaySymbol(symbol)}</bdi>
      </Fact>
      {cost !== undefined && (
        <Fact name={t.trade.averageCost}>
          <Amount {...cost} />
        </Fact>
      )}
      {holding !== undefined && (
        <Fact name={t.common.ifSoldNow}>
          <Amount bnb={holding.exitBnb} usd={holding.exitUsd} />
        </Fact>
      )}
      {results !== undefined && (
        <>
          <Fact name={t.common.unrealised}>
            <Result
              bnb={results.unrealisedAtExitBnb}
              usd={results.unrealisedAtExitUsd}
              proceeds={{ bnb: results.exitBnb, usd: results.exitUsd }}
            />
          </Fact>
          <Fact name={t.common.realised}>
            <Result bnb={results.realisedBnb} usd={results.realisedUsd} />
          </Fact>
        </>
      )}
    </dl>
  );
}
