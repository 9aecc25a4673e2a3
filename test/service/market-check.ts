import type { Address } from "viem";
import { expect } from "vitest";
import type { LaunchpadChain } from "../chain/launchpad-chain.ts";
import { expectedAnswers } from "../reference-market/expected-answers.ts";
import { until, untilServed } from "./condition.ts";
import type { RestClient } from "./rest-client.ts";

/** Fields of a token that don't come from its trades and balances, and are compared in tests of their own. */
const comparedElsewhere = [
  ...["mint", "chainId", "name", "symbol", "burnPercent", "launchpadAddress", "createdAt", "holderCount"],
  ...["progress", "graduated", "graduatedAt", "pair", "lookAlike", "graduationExit", "buyImpacts"],
  ...["registered", "verified", "registeredAt", "description", "imageUrl", "imageHttpUrl"],
  ...["twitterUrl", "telegramUrl", "websiteUrl"],
];

/** Compares every answer about a chain's market with its logs. The chain must be fully indexed, and these tokens registered. */
export async function expectMarketAnswers(rest: RestClient, chain: LaunchpadChain, registered: Address[]) {
  const query = `chainId=${chain.chainId}`;
  const expected = await expectedAnswers(chain);
  const mints = Object.keys(expected.tokens) as Address[];
  const entryOf = async (mint: Address) =>
    (await untilServed(`the entry of ${mint}`, () => rest.get(`/api/token/${mint}?${query}`))).body;
  const entries = await Promise.all(mints.map(entryOf));
  expect(Object.fromEntries(entries.map((entry) => [entry.mint, entry]))).toEqual(
    Object.fromEntries(
      mints.map((mint, index) => [mint, { ...entries[index], ...expected.tokens[mint] }] as const),
    ),
  );
  for (const entry of entries) {
    const compared = [...Object.keys(expected.tokens[entry.mint] ?? {}), ...comparedElsewhere];
    const unknown = Object.keys(entry).filter((name) => !compared.includes(name));
    expect(unknown, "fields that test/reference-market/expected-answers.ts doesn't compute").toEqual([]);
  }
  const { body: list } = await rest.get(`/api/tokens?${query}`);
  expect(list.tokens.map(({ mint }: { mint: Address }) => mint).sort()).toEqual(
    registered.map((mint) => mint.toLowerCase()).sort(),
  );
  for (const entry of list.tokens)
    expect(entries).toContainEqual({ ...entry, ...singleTokenFields(entries, entry.mint) });
  for (const mint of mints) {
    const { body } = await rest.get(`/api/token/${mint}/holders?${query}`);
    expect(body.risk).toEqual(expected.tokens[mint]?.risk);
  }
  expect((await rest.get(`/api/stats?${query}`)).body).toEqual({
    ...expected.stats,
    registeredTokens: registered.length,
  });
  return { entries: Object.fromEntries(entries.map((entry) => [entry.mint, entry])), expected };
}

/** The fields that only the answer for a single token has. */
function singleTokenFields(entries: Record<string, unknown>[], mint: string) {
  const { sameSymbolTokens, lookAlike, graduationExit, buyImpacts } =
    entries.find((entry) => entry.mint === mint) ?? {};
  return { sameSymbolTokens, lookAlike, graduationExit, buyImpacts };
}

/** Compares the launchpad's last days with the chain's logs, for each of these numbers of days. */
export async function expectDays(rest: RestClient, chain: LaunchpadChain, counts: number[]): Promise<void> {
  const expected = await expectedAnswers(chain);
  for (const count of counts) {
    const query = `chainId=${chain.chainId}&days=${count}`;
    // Earlier answers are cached for some seconds.
    await until(`${count} days as of now`, async () => {
      const { body } = await rest.get(`/api/stats/days?${query}`);
      return body.asOf.block === expected.stats.asOf.block;
    });
    const { body } = await rest.get(`/api/stats/days?${query}`);
    const { chainId, asOf } = expected.stats;
    expect(body).toEqual({ chainId, asOf, days: expected.days(count) });
  }
}
