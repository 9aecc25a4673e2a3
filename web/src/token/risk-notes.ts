import { formatPercent } from "../format/number.ts";
import { plural } from "../format/time.ts";
import type { TokenDetails } from "./data.ts";

/** One thing to know before buying. */
export type RiskNote = { level: "good" | "note" | "warning"; text: string };

type Rated = Pick<
  TokenDetails,
  "risk" | "creatorRecord" | "sameSymbolTokens" | "registered" | "verified" | "buyImpacts" | "holderCount"
>;

/** Holdings from which a warning is shown, in percent of the circulating supply. */
const highCreatorPercent = 15;
const highTopTenPercent = 70;
const highEarlyBuyersPercent = 40;
const highBundlersPercent = 10;
const highInsidersPercent = 10;

const highPercents = {
  creator: highCreatorPercent,
  topTen: highTopTenPercent,
  early: highEarlyBuyersPercent,
  bundlers: highBundlersPercent,
  insiders: highInsidersPercent,
} as const;

/** How risky a share of the circulating supply is: from the threshold on a warning, and from half of it on worth noting. */
export function shareLevel(kind: keyof typeof highPercents, percent: number): RiskNote["level"] {
  const high = highPercents[kind];
  if (percent >= high) return "warning";
  return percent >= high / 2 ? "note" : "good";
}

/** The token's risks in words, worst first. These are facts, not advice. */
export function riskNotes(token: Rated): RiskNote[] {
  const notes = [...holding(token), ...groups(token), ...record(token), ...identity(token), ...depth(token)];
  const order = { warning: 0, note: 1, good: 2 };
  return notes.sort((a, b) => order[a.level] - order[b.level]);
}

/** The notes in a word, by the number of warnings. Without any it says no more than that. */
export function riskVerdict(notes: RiskNote[]): { level: "high" | "some" | "none"; text: string } {
  const warnings = notes.filter(({ level }) => level === "warning").length;
  if (warnings === 0) return { level: "none", text: "No warnings" };
  return warnings === 1 ? { level: "some", text: "Caution" } : { level: "high", text: "High risk" };
}

/** What is known of a token in a list: who holds it, and what its creator did before. */
export const listedWarnings = (token: Pick<Rated, "risk" | "creatorRecord">): RiskNote[] =>
  [...holding(token), ...groups(token), ...record(token)].filter(({ level }) => level === "warning");

function* holding({ risk }: Pick<Rated, "risk">): Generator<RiskNote> {
  const { creatorPercent, top10Percent, creatorSoldOut, creatorGraduated } = risk;
  if (creatorSoldOut) yield { level: "note", text: "The creator has sold or moved everything they held." };
  else if (creatorPercent !== null && creatorPercent > 0) {
    const level = creatorPercent >= highCreatorPercent ? "warning" : "note";
    yield { level, text: `The creator holds ${formatPercent(creatorPercent)} of the circulating supply.` };
  } else yield { level: "good", text: "The creator holds none of it." };
  if (top10Percent !== null && top10Percent >= highTopTenPercent) {
    yield {
      level: "warning",
      text: `The ten largest holders have ${formatPercent(top10Percent)} of the circulating supply.`,
    };
  }
  if (creatorGraduated === true) {
    yield { level: "note", text: "The creator made the buy that completed the curve." };
  }
}

/** What those who were early, or close to the creator, got and have now. */
function* groups({ risk }: Pick<Rated, "risk">): Generator<RiskNote> {
  const { earlyBuyersPercent, snipers, snipersPercent, bundlers, bundlersPercent } = risk;
  const { insiders, insidersPercent } = risk;
  const level = (percent: number | null, high: number) => ((percent ?? 0) >= high ? "warning" : "note");
  if (bundlers > 0) {
    yield {
      level: level(bundlersPercent, highBundlersPercent),
      text: `${plural(bundlers, "bundler")} bought ${share(risk.bundlersBoughtPercent)} in the block in which the curve opened, and ${held(bundlers, bundlersPercent)}.`,
    };
  }
  if (snipers > bundlers) {
    yield {
      level: level(snipersPercent, highEarlyBuyersPercent),
      text: `${plural(snipers, "sniper")}${bundlers > 0 ? ", bundlers included," : ""} bought ${share(risk.snipersBoughtPercent)} in the curve's first three blocks, and ${held(snipers, snipersPercent)}.`,
    };
  }
  const isCreatorDecisive = snipersPercent === null || snipersPercent < highEarlyBuyersPercent;
  if (earlyBuyersPercent !== null && earlyBuyersPercent >= highEarlyBuyersPercent && isCreatorDecisive) {
    yield {
      level: "warning",
      text: `Accounts that bought in the first three blocks, the creator included, still hold ${formatPercent(earlyBuyersPercent)}.`,
    };
  }
  if (insiders > 0) {
    yield {
      level: level(insidersPercent, highInsidersPercent),
      text: `${plural(insiders, "insider")} got ${share(risk.insidersReceivedPercent)} from the creator by transfer, and ${held(insiders, insidersPercent)}.`,
    };
  }
}

/** A share that may be larger than what circulates now, if much of it was sold back since. */
function share(percent: number | null): string {
  if (percent === null || percent > 100) return "more than what circulates now";
  return `${formatPercent(percent)} of the circulating supply`;
}

function held(accounts: number, percent: number | null): string {
  const verb = accounts === 1 ? "holds" : "hold";
  return `${verb} ${percent === null || percent === 0 ? "none of it" : formatPercent(percent)} now`;
}

function* record({ creatorRecord }: Pick<Rated, "creatorRecord">): Generator<RiskNote> {
  const { tokensCreated, tokensGraduated, tokensSoldOut } = creatorRecord;
  if (tokensCreated <= 1) {
    yield { level: "note", text: "This is the creator's first token." };
    return;
  }
  const text = `The creator made ${plural(tokensCreated, "token")}: ${tokensGraduated} graduated, and ${tokensSoldOut} the creator sold out of.`;
  const level = tokensSoldOut * 2 > tokensCreated && tokensSoldOut > 1 ? "warning" : "note";
  yield { level, text };
}

function* identity({ sameSymbolTokens, registered, verified }: Rated): Generator<RiskNote> {
  if (sameSymbolTokens > 0) {
    yield {
      level: "warning",
      text: `${plural(sameSymbolTokens, "other token")} ${sameSymbolTokens === 1 ? "has" : "have"} the same symbol. Compare the address.`,
    };
  }
  if (!registered) yield { level: "note", text: "Nobody has registered a description or links for it." };
  else if (!verified) {
    yield {
      level: "note",
      text: "The description and links are not signed by the creator: anyone may have written them.",
    };
  } else yield { level: "good", text: "The creator signed the description and links." };
}

function* depth({ buyImpacts }: Rated): Generator<RiskNote> {
  const [smallest] = buyImpacts;
  const percent = smallest?.priceImpactPercent;
  if (smallest === undefined || percent === null || percent === undefined || percent < 5) return;
  yield {
    level: percent >= 25 ? "warning" : "note",
    text: `Buying for ${smallest.amountBnb} BNB brings ${formatPercent(percent)} fewer tokens than at the current price.`,
  };
}
