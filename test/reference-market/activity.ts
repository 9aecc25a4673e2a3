import { expect } from "vitest";
import { until } from "../service/condition.ts";
import type { OpenDatabase } from "../service/database.ts";
import { type ExpectedMarket, expectedMarket, type MarketOptions } from "./expected-market.ts";

type Active = { address: string; volume: string; trades: number; traders: number };
type Activity = { at: bigint; tokens: Active[] };

/** Computes, from the logs, the activity of every token that was traded in the last 24 hours. */
export async function expectedActivity(chain: MarketOptions): Promise<Activity> {
  const { windows, head }: ExpectedMarket = await expectedMarket(chain);
  const tokens = windows
    .filter(({ window, buys, sells }) => window === "24h" && buys + sells > 0)
    .map(({ token, volume, buys, sells, traders }) => ({
      address: token,
      volume: String(volume),
      trades: buys + sells,
      traders,
    }))
    .toSorted((left, right) => Number(left.address > right.address) - 0.5);
  return { at: head.timestamp, tokens };
}

async function activityInTables(chainId: number, database: OpenDatabase): Promise<Activity> {
  const tokens = await database.query<Active>(
    `select address, volume_24h_wei::text as volume, trades_24h as trades, traders_24h as traders
     from onchain.active_token where chain_id = $1 order by address`,
    [chainId],
  );
  const [state] = await database.query<{ at: string }>(
    "select measured_at::text as at from offchain.token_activity_state where chain_id = $1",
    [chainId],
  );
  return { at: BigInt(state?.at ?? 0), tokens };
}

/** Resolves to the active tokens once the tables agree with the logs. */
export async function activityOnceAsInLogs(
  chain: MarketOptions & { chainId: number },
  database: OpenDatabase,
): Promise<Active[]> {
  const expected = await expectedActivity(chain);
  let found: Activity | undefined;
  await until("the activity to equal the chain", async () => {
    found = await activityInTables(chain.chainId, database);
    return found.at === expected.at && JSON.stringify(found.tokens) === JSON.stringify(expected.tokens);
  }).catch(() => expect(found).toEqual(expected));
  return expected.tokens;
}
