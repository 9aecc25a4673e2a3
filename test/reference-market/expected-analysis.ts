import type { Address } from "viem";
import type { SharedQuestion } from "../../examples/analysis/questions.ts";
import type { ExpectedMarket } from "./expected-market.ts";
import { groupBy, sum } from "./groups.ts";
import type { ObservedTrade } from "./observed-trades.ts";

/* The answers to examples/analysis/questions, from the market that is rebuilt from the chain's logs. */

type Cell = string | number | null;
export type ExpectedAnswer = Record<string, Cell>[];

const daySeconds = 86_400;

const toDay = (timestamp: bigint) => Number(timestamp) - (Number(timestamp) % daySeconds);
const whole = (raw: bigint) => Number(raw) / 1e18;
const bnbOf = (trades: ObservedTrade[]) => whole(sum(trades.map(({ bnb }) => bnb)));
const tradersOf = (trades: ObservedTrade[]) => new Set(trades.map(({ trader }) => trader)).size;
const ofSide = (trades: ObservedTrade[], isBuy: boolean) => trades.filter((trade) => trade.isBuy === isBuy);
const by = <Item>(items: Item[], keyOf: (item: Item) => string | number) =>
  groupBy(items, (item) => String(keyOf(item)));

/** The smallest value that is not below this fraction of the values; null if there are none. */
function percentile(values: number[], fraction: number): number | null {
  const ascending = values.toSorted((left, right) => left - right);
  return ascending[Math.max(Math.ceil(ascending.length * fraction) - 1, 0)] ?? null;
}

/** Returns the answers about the time from the first block until `until`, in seconds, in any order of rows. */
export function expectedAnalysis(
  market: ExpectedMarket,
  until: number,
): Record<SharedQuestion, ExpectedAnswer> {
  const isIn = ({ timestamp }: { timestamp: bigint }) => Number(timestamp) < until;
  const trades = market.market.trades.filter(isIn);
  const tradesOf = Map.groupBy(trades, ({ token }) => token);
  const days = by(trades, ({ timestamp }) => toDay(timestamp)).map((traded) => ({
    time: toDay(traded[0].timestamp),
    traded,
  }));
  const firstDays = new Map(
    by(trades, ({ trader }) => trader).map(([first]) => [first.trader, toDay(first.timestamp)]),
  );
  const tokens = market.created.filter(isIn).map(({ args: { token, creator }, timestamp }) => {
    const graduation = market.market.curves.get(token)?.graduation;
    return {
      token,
      creator,
      at: Number(timestamp),
      traded: tradesOf.get(token) ?? [],
      graduatedAt: graduation !== undefined && isIn(graduation) ? Number(graduation.timestamp) : null,
      /** Without the creator. */
      early: market.earlyBuyers.filter((buyer) => buyer.token === token && buyer.account !== creator),
    };
  });

  return {
    "active-traders": days.map(({ time, traded }) => {
      const all = [...new Set(traded.map(({ trader }) => trader))];
      const newTraders = all.filter((trader) => firstDays.get(trader) === time).length;
      return {
        time,
        traders: all.length,
        new_traders: newTraders,
        returning_traders: all.length - newTraders,
      };
    }),

    cohorts: days.flatMap(({ time: day, traded }) =>
      by(traded, ({ trader }) => firstDays.get(trader) ?? 0).map((cohort) => {
        const time = firstDays.get(cohort[0].trader) ?? 0;
        return {
          time,
          days_later: (day - time) / daySeconds,
          traders: tradersOf(cohort),
          volume_bnb: bnbOf(cohort),
        };
      }),
    ),

    funnel: by(tokens, ({ at }) => toDay(BigInt(at))).map((created) => {
      const count = (matches: (token: (typeof tokens)[number]) => boolean) => created.filter(matches).length;
      return {
        time: toDay(BigInt(created[0].at)),
        created: created.length,
        bought: count(({ traded, creator }) => ofSide(traded, true).some(({ trader }) => trader !== creator)),
        with_ten_traders: count(({ traded }) => tradersOf(traded) >= 10),
        graduated: count(({ graduatedAt }) => graduatedAt !== null),
        traded_on_dex: count(({ traded }) => traded.some(({ venue }) => venue === "dex")),
        median_seconds_to_graduate: percentile(
          created.flatMap(({ graduatedAt, at }) => (graduatedAt === null ? [] : [graduatedAt - at])),
          0.5,
        ),
      };
    }),

    "volume-by-venue": days.flatMap(({ time, traded }) =>
      by(traded, ({ venue }) => venue).map((group) => {
        const known = group.flatMap(({ volumeUsd }) => volumeUsd ?? []);
        return {
          time,
          venue: group[0].venue,
          trades: group.length,
          volume_bnb: bnbOf(group),
          volume_usd: known.length === 0 ? null : whole(sum(known)),
        };
      }),
    ),

    creators: by(tokens, ({ creator }) => creator)
      .map((created) => {
        const traded = created.flatMap((token) => token.traded);
        const graduated = created.filter(({ graduatedAt }) => graduatedAt !== null).length;
        return {
          creator: created[0].creator,
          tokens: created.length,
          graduated,
          graduated_percent: (100 * graduated) / created.length,
          traders: tradersOf(traded),
          volume_bnb: bnbOf(traded),
        };
      })
      .toSorted(
        (left, right) =>
          right.graduated - left.graduated ||
          right.volume_bnb - left.volume_bnb ||
          (left.creator < right.creator ? -1 : 1),
      )
      .slice(0, 50),

    bundles: tokens.flatMap(({ token, creator, at, early }) => {
      const curve = market.market.curves.get(token);
      const bundlers = early.filter(({ block }) => block === curve?.opened.block);
      const bought = sum(bundlers.map(({ bought_raw }) => bought_raw as bigint));
      if (curve === undefined || bundlers.length === 0) return [];
      const percent = (100 * Number(bought)) / Number(curve.opened.toSell);
      return [
        {
          time: at,
          mint: token,
          creator,
          bundlers: bundlers.length,
          tokens_bought: whole(bought),
          percent_of_curve: percent,
        },
      ];
    }),

    "wash-trading": washTrading(trades, days),
    concentration: concentration(market, trades, days),

    profits: by(
      by(ofSide(trades, false), ({ trader }) => trader).map((sells) =>
        sum(sells.map(({ id }) => market.tradeResults.get(id)?.realised ?? 0n)),
      ),
      (realised) => resultSize(whole(realised)),
    ).map((results) => ({
      result_bnb: resultSize(whole(results[0])),
      accounts: results.length,
      realised_bnb: whole(sum(results)),
    })),

    snipers: by(
      tokens.flatMap(({ early, traded }) =>
        early
          .map(({ account }) => ({ account, own: traded.filter(({ trader }) => trader === account) }))
          // Of a token that opened last, some may have bought after the end.
          .filter(({ own }) => own.length > 0),
      ),
      ({ account }) => String(account),
    )
      .map((sniped) => {
        const results = sniped.flatMap(({ own }) => {
          const sells = ofSide(own, false);
          return sells.length === 0
            ? []
            : [sum(sells.map(({ id }) => market.tradeResults.get(id)?.realised ?? 0n))];
        });
        return {
          account: String(sniped[0].account),
          tokens_sniped: sniped.length,
          tokens_sold: results.length,
          tokens_with_profit: results.filter((realised) => realised > 0n).length,
          spent_bnb: bnbOf(
            ofSide(
              sniped.flatMap(({ own }) => own),
              true,
            ),
          ),
          realised_bnb: whole(sum(results)),
        };
      })
      .toSorted(
        (left, right) => right.realised_bnb - left.realised_bnb || (left.account < right.account ? -1 : 1),
      )
      .slice(0, 50),

    "price-impact": by(trades, ({ venue, isBuy, bnb }) => `${venue} ${isBuy} ${tradeSize(bnb)}`).map(
      (group) => {
        const impacts = group.map((trade) => {
          const sign = trade.isBuy ? 1n : -1n;
          const before =
            Number(trade.bnbReserves - sign * trade.bnb) / Number(trade.tokenReserves + sign * trade.tokens);
          return Math.abs(100 * (Number(trade.bnbReserves) / Number(trade.tokenReserves) / before - 1));
        });
        return {
          venue: group[0].venue,
          side: group[0].isBuy ? "buy" : "sell",
          size_bnb: tradeSize(group[0].bnb),
          trades: group.length,
          volume_bnb: bnbOf(group),
          median_percent: percentile(impacts, 0.5),
          p90_percent: percentile(impacts, 0.9),
        };
      },
    ),

    survival: Array.from({ length: 31 }, (_, age) => age).flatMap((age) => {
      const old = tokens.filter(({ at }) => at + age * daySeconds <= until);
      const alive = old.filter(({ at, traded }) =>
        traded.some(({ timestamp }) => Number(timestamp) >= at + age * daySeconds),
      );
      const percent = (100 * alive.length) / old.length;
      return old.length === 0
        ? []
        : [{ age_days: age, tokens: old.length, traded_since: alive.length, percent }];
    }),

    liquidity: by(
      market.liquidity.filter(({ event }) => isIn(event)),
      ({ event }) => toDay(event.timestamp),
    ).map((changes) => {
      const isGraduation = ({ event }: (typeof changes)[number]) => event.name === "Graduated";
      const others = changes.filter((change) => !isGraduation(change));
      const total = (some: typeof others) => whole(sum(some.map(({ bnb }) => bnb)));
      return {
        time: toDay(changes[0].event.timestamp),
        graduated_bnb: total(changes.filter(isGraduation)),
        added_bnb: total(others.filter(({ isAdded }) => isAdded)),
        removed_bnb: total(others.filter(({ isAdded }) => !isAdded)),
        providers: new Set(others.map(({ provider }) => provider)).size,
      };
    }),

    whales: (() => {
      const whales = new Set(largest(trades, "trader", 10));
      return days.map(({ time, traded }) => {
        const ofWhales = traded.filter(({ trader }) => whales.has(trader));
        const ofOthers = traded.filter(({ trader }) => !whales.has(trader));
        return {
          time,
          whales_paid_bnb: bnbOf(ofSide(ofWhales, true)),
          whales_received_bnb: bnbOf(ofSide(ofWhales, false)),
          others_paid_bnb: bnbOf(ofSide(ofOthers, true)),
          others_received_bnb: bnbOf(ofSide(ofOthers, false)),
        };
      });
    })(),

    "first-hour": by(
      tokens
        .filter(({ at }) => at + 3_600 <= until)
        .map((token) => ({
          ...token,
          first: token.traded.filter(({ timestamp }) => Number(timestamp) < token.at + 3_600),
        })),
      ({ first }) => traderCount(tradersOf(first)),
    ).map((group) => {
      const graduated = group.filter(({ graduatedAt }) => graduatedAt !== null).length;
      return {
        first_hour_traders: traderCount(tradersOf(group[0].first)),
        tokens: group.length,
        graduated,
        percent: (100 * graduated) / group.length,
        first_hour_volume_bnb: bnbOf(group.flatMap(({ first }) => first)),
      };
    }),
  };

  function largest(of: ObservedTrade[], key: "trader" | "token", count: number): Address[] {
    return by(of, (trade) => trade[key])
      .map((group) => ({ address: group[0][key], bnb: sum(group.map(({ bnb }) => bnb)) }))
      .toSorted((left, right) =>
        left.bnb === right.bnb ? (left.address < right.address ? -1 : 1) : left.bnb > right.bnb ? -1 : 1,
      )
      .slice(0, count)
      .map(({ address }) => address);
  }

  function concentration(
    { holdings }: ExpectedMarket,
    all: ObservedTrade[],
    ofDays: { time: number }[],
  ): ExpectedAnswer {
    return largest(all, "token", 5).flatMap((mint) => {
      const accounts = holdings.holders.filter(({ token, kind }) => token === mint && kind === "account");
      return ofDays.flatMap(({ time }) => {
        const day = time / daySeconds;
        const balances = accounts.flatMap(({ byDay }) => {
          const balance = [...byDay].findLast(([changedOn]) => changedOn <= day)?.[1] ?? 0n;
          return balance > 0n ? [Number(balance)] : [];
        });
        if (balances.length === 0) return [];
        const total = balances.reduce((left, right) => left + right);
        // The mean difference of all pairs, relative to twice the mean.
        const differences = balances.flatMap((left) => balances.map((right) => Math.abs(left - right)));
        return [
          {
            time,
            mint,
            holders: balances.length,
            gini: differences.reduce((left, right) => left + right) / (2 * balances.length * total),
            hhi: balances.reduce((left, balance) => left + (balance / total) ** 2, 0),
          },
        ];
      });
    });
  }
}

function washTrading(
  trades: ObservedTrade[],
  days: { time: number; traded: ObservedTrade[] }[],
): ExpectedAnswer {
  const buyBefore = new Map<string, ObservedTrade>();
  for (const own of by(trades, ({ token, trader }) => `${token} ${trader}`)) {
    own.forEach((sell, index) => {
      const buy = own[index - 1];
      if (sell.isBuy || !buy?.isBuy || sell.timestamp - buy.timestamp > 600n) return;
      const isSameSize = sell.tokens * 10n >= buy.tokens * 9n && sell.tokens * 10n <= buy.tokens * 11n;
      if (isSameSize) buyBefore.set(sell.id, buy);
    });
  }
  return days.map(({ time, traded }) => {
    const sells = traded.filter(({ id }) => buyBefore.has(id));
    return {
      time,
      round_trips: sells.length,
      accounts: tradersOf(sells),
      round_trip_bnb: bnbOf([...sells, ...sells.flatMap(({ id }) => buyBefore.get(id) ?? [])]),
      volume_bnb: bnbOf(traded),
    };
  });
}

const letters = "abcdefgh";

function resultSize(bnb: number): string {
  const names = [
    ...["lost over 1", "lost 0.1 to 1", "lost 0.01 to 0.1", "lost up to 0.01"],
    ...["won up to 0.01", "won 0.01 to 0.1", "won 0.1 to 1", "won over 1"],
  ];
  const index = [bnb >= -1, bnb >= -0.1, bnb >= -0.01, bnb >= 0, bnb > 0.01, bnb > 0.1, bnb > 1];
  return label(names, index);
}

function tradeSize(wei: bigint): string {
  const names = ["below 0.0001", "0.0001 to 0.001", "0.001 to 0.01", "0.01 to 0.1", "0.1 and more"];
  return label(
    names,
    [14n, 15n, 16n, 17n].map((zeros) => wei >= 10n ** zeros),
  );
}

const traderCount = (traders: number) =>
  label(
    ["none", "1 to 4", "5 to 9", "10 to 24", "25 and more"],
    [1, 5, 10, 25].map((least) => traders >= least),
  );

/** Names a class by how many of its thresholds are passed, with a letter to sort by. */
function label(names: string[], passed: boolean[]): string {
  const index = passed.filter(Boolean).length;
  return `${letters[index]} ${names[index]}`;
}
