import type { Address } from "viem";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { type ChainEvent, isToken0, readChain } from "./chain-events.ts";
import { expectedAccountTotals } from "./expected-account-totals.ts";
import { creatorRecord, firstSeen, lastChange } from "./expected-accounts.ts";
import { replayTransfers } from "./expected-holders.ts";
import { observeInsiders } from "./expected-insiders.ts";
import { observeLiquidity } from "./expected-liquidity.ts";
import { replayPositions } from "./expected-positions.ts";
import { tradeResults } from "./expected-results.ts";
import { expectedEarlyBuyers, expectedShares } from "./expected-shares.ts";
import { observeTransfers } from "./expected-transfers.ts";
import { expectedWindows } from "./expected-windows.ts";
import { followTokens } from "./followed-tokens.ts";
import { observeMarket } from "./observed-trades.ts";

/*
 * A chain's market data, computed independently from its logs, by scanning all of them instead of keeping totals. It shares nothing
 * with the code under src/, so that the two can only agree if both are right.
 */

export type MarketOptions = {
  rpcUrl: string;
  deployment: Pick<LaunchpadDeployment, "tokenFactory" | "launchpad">;
  /** The contracts that emit the answers of a BNB/USD feed, if the index has one. */
  priceFeeds?: Address[];
};

export type ExpectedMarket = Awaited<ReturnType<typeof expectedMarket>>;

/** Computes the market data as of the chain's last block. */
export async function expectedMarket({ rpcUrl, deployment, priceFeeds = [] }: MarketOptions) {
  const launchpad = lowerCase(deployment.launchpad);
  const { head, events } = await readChain(rpcUrl);
  const created = events.filter((event) => isCreation(event, lowerCase(deployment.tokenFactory)));
  const withToken0 = await pairsWithToken0(rpcUrl, events, launchpad);
  const source = { events, launchpad, pairsWithToken0: withToken0 };
  const followed = followTokens(source);
  const observed = { ...source, accounts: followed.accounts, providers: followed.providers };
  const market = observeMarket({ ...observed, priceFeeds: priceFeeds.map(lowerCase) });
  const liquidity = observeLiquidity(observed);
  const { transfers, launched, seeded } = observeTransfers({ events, created, launchpad, followed });
  const tokens = new Set(created.map(({ args }) => args.token));
  const holdings = replayTransfers(events, { tokens, launchpad });
  const insiders = observeInsiders(transfers, created, holdings);
  const positions = replayPositions({ market, liquidity, transfers, followed, launchpad });
  const earlyBuyers = expectedEarlyBuyers(market);
  const creators = new Map(created.map(({ args }) => [args.token, args.creator]));
  const accounts = [...firstSeen(events, { created, market, liquidity, launchpad })].map(
    ([address, firstSeenAt]) => ({
      address,
      firstSeenAt,
      changedAt: lastChange({ address, firstSeenAt }, { created, market, holdings }),
      record: creatorRecord(address, created, market, holdings),
    }),
  );
  return {
    head: { number: head.number, timestamp: head.timestamp },
    created,
    creators,
    pairsWithToken0: withToken0,
    market,
    liquidity,
    transfers,
    /** What each token's creation left with the launchpad. */
    launched,
    /** What trades, changes of liquidity and graduations moved, by their event. */
    moved: new Map([...followed.moved, ...seeded]),
    holdings,
    insiders,
    positions,
    tradeResults: tradeResults(positions),
    earlyBuyers,
    /** How many blocks after the curve's opening each early buyer first bought, by token and account. */
    earlyBlocks: new Map(
      earlyBuyers.map(({ token, account, block }) => [
        `${token} ${account}`,
        Number((block as bigint) - (market.curves.get(token as Address)?.opened.block ?? 0n)),
      ]),
    ),
    accounts,
    windows: expectedWindows(market, head.timestamp),
    shares: expectedShares(creators, earlyBuyers, market.curves, holdings),
    accountTotals: expectedAccountTotals(
      accounts.map(({ address }) => address),
      positions,
      holdings,
    ),
  };
}

function isCreation(event: ChainEvent, tokenFactory: Address): event is ChainEvent<"TokenCreated"> {
  return event.name === "TokenCreated" && event.emitter === tokenFactory;
}

async function pairsWithToken0(rpcUrl: string, events: ChainEvent[], launchpad: Address) {
  const graduations = events.filter(
    (event): event is ChainEvent<"Graduated"> => event.name === "Graduated" && event.emitter === launchpad,
  );
  const pairs = await Promise.all(
    graduations.map(async ({ args: { pair, token } }) =>
      (await isToken0(rpcUrl, pair, token)) ? [pair] : [],
    ),
  );
  return new Set(pairs.flat());
}

function lowerCase(address: string): Address {
  return address.toLowerCase() as Address;
}
