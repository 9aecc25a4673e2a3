import type { ComponentChildren } from "preact";
import { coin } from "../data/chain.ts";
import { displayName, displaySymbol, shortAddress } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Fact } from "../parts/fact.tsx";
import { AccountLink } from "../parts/links.tsx";
import { tokenPath, withChain } from "../routing/router.ts";
import type { Alert } from "./subscriptions.ts";

/** Tokens by address. */
export type Names = ReadonlyMap<string, { name?: string; symbol?: string }>;

/** Any rule of the API, also one that no form of the explorer makes. */
type StoredRule = {
  type: string;
  kind?: string[];
  mint?: string | string[];
  creator?: string[];
  trader?: string[];
  side?: "buy" | "sell";
  venue?: "curve" | "dex";
  minBnb?: string;
  metric?: string;
  above?: string;
  below?: string;
  repeat?: "once" | "always";
  account?: string;
  windowMinutes?: number;
};

const stored = (rule: Alert["rule"]) => rule as StoredRule;

export const mintsOf = (rule: Alert["rule"]): string[] => [stored(rule).mint ?? []].flat();

/** What is sent if a rule names no kinds. */
const usualKinds = ["created", "trade", "graduated", "registered"];

const wordFor = (words: Record<string, string>, key: string) => words[key] ?? key;

/** What a rule waits for, in words. */
export function ruleTitle(rule: Alert["rule"]): string {
  const { type, kind = usualKinds, metric = "", above, below, windowMinutes } = stored(rule);
  if (type === "events") {
    return new Intl.ListFormat(t.locale).format(kind.map((one) => wordFor(t.alerts.kinds, one)));
  }
  const name = wordFor(t.alerts.metrics, metric.replace(/(?<=price|marketCap)(Usd|Bnb)$/, ""));
  const limit = `${above ?? below}${unitOf(metric)}`;
  const what = windowMinutes === undefined ? name : t.alerts.volumeWithin(name, windowMinutes);
  return above === undefined ? t.alerts.fallsTo(what, limit) : t.alerts.risesTo(what, limit);
}

function unitOf(metric: string): string {
  if (metric.endsWith("Usd")) return " USD";
  if (metric.endsWith("Bnb")) return ` ${coin.value}`;
  return metric === "holders" ? "" : "%";
}

const maxShown = 3;

/** What narrows a rule down: which tokens and accounts, which trades. */
export function RuleFacts({ rule, names }: { rule: Alert["rule"]; names: Names }) {
  const { creator = [], trader = [], side, venue, minBnb, repeat, account } = stored(rule);
  const accounts = (list: string[]) => list.map((address) => <AccountLink key={address} address={address} />);
  const mints = mintsOf(rule).map((mint) => (
    <a key={mint} href={withChain(tokenPath(mint))} title={mint}>
      <TokenName mint={mint} token={names.get(mint)} />
    </a>
  ));
  return (
    <>
      <RuleFact name={t.common.token} values={mints} />
      <RuleFact name={t.alerts.tradesOf} values={accounts(trader)} />
      <RuleFact name={t.alerts.tokensOf} values={accounts(creator)} />
      <RuleFact name={t.common.account} values={accounts(account === undefined ? [] : [account])} />
      <RuleFact name={t.common.side} values={side === undefined ? [] : [t.common[side]]} />
      <RuleFact name={t.alerts.venue} values={venue === undefined ? [] : [t.alerts.venues[venue]]} />
      <RuleFact name={t.alerts.from} values={minBnb === undefined ? [] : [`${minBnb} ${coin.value}`]} />
      <RuleFact name={t.alerts.repeats} values={repeat === undefined ? [] : [t.alerts.repeat[repeat]]} />
    </>
  );
}

function TokenName({ mint, token }: { mint: string; token: { name?: string; symbol?: string } | undefined }) {
  if (token?.name === undefined) return <>{shortAddress(mint)}</>;
  return (
    <>
      <bdi>{displayName(token.name)}</bdi> <bdi class="muted">{displaySymbol(token.symbol ?? "")}</bdi>
    </>
  );
}

export function RuleFact({ name, values }: { name: string; values: ComponentChildren[] }) {
  if (values.length === 0) return null;
  return (
    <Fact name={name}>
      {values.slice(0, maxShown)}
      {values.length > maxShown && <span class="muted">+{values.length - maxShown}</span>}
    </Fact>
  );
}
