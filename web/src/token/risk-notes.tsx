import { coin } from "../data/chain.ts";
import { formatPercent, groupDigits } from "../format/number.ts";
import { displaySymbol, shortAddress } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";
import type { TokenDetails } from "./data.ts";

/** One thing to know before buying. */
type RiskNote = { level: "good" | "note" | "warning"; text: string };

type Rated = Pick<
  TokenDetails,
  | "risk"
  | "creatorRecord"
  | "lookAlike"
  | "sameSymbolTokens"
  | "registered"
  | "verified"
  | "buyImpacts"
  | "holderCount"
>;

/** Holdings from which a warning is shown, in percent of the circulating supply. */
const highPercents = { creator: 15, topTen: 70, early: 40, bundlers: 10, insiders: 10 } as const;

/** How risky a share of the circulating supply is: from the threshold on a warning, and from half of it on worth noting. */
export function shareLevel(kind: keyof typeof highPercents, percent: number): RiskNote["level"] {
  const high = highPercents[kind];
  if (percent >= high) return "warning";
  return percent >= high / 2 ? "note" : "good";
}

/** The token's risks in words, worst first. These are facts, not advice. */
export function riskNotes(token: Rated): RiskNote[] {
  const notes = [
    ...likeness(token),
    ...holding(token),
    ...groups(token),
    ...record(token),
    ...identity(token),
    ...depth(token),
  ];
  const order = { warning: 0, note: 1, good: 2 };
  return notes.sort((a, b) => order[a.level] - order[b.level]);
}

/** The notes in a word, by the number of warnings. Without any it says no more than that. */
export function riskVerdict(notes: RiskNote[]): { level: "high" | "some" | "none"; text: string } {
  const warnings = notes.filter(({ level }) => level === "warning").length;
  const level = warnings === 0 ? "none" : warnings === 1 ? "some" : "high";
  return { level, text: t.risk.verdicts[level] };
}

/** What is known of a token in a list: who holds it, and what its creator did before. */
export const listedWarnings = (token: Pick<Rated, "risk" | "creatorRecord">): RiskNote[] =>
  [...holding(token), ...groups(token), ...record(token)].filter(({ level }) => level === "warning");

function* likeness({ lookAlike, sameSymbolTokens }: Rated): Generator<RiskNote> {
  if (lookAlike !== null) yield { level: "warning", text: lookAlikeText(lookAlike) };
  else if (sameSymbolTokens > 0) {
    yield { level: "note", text: t.risk.notes.sameSymbol(groupDigits(sameSymbolTokens)) };
  }
}

/** Which token another one looks like, by its symbol and address. */
export function lookAlikeText({ symbol, mint, reason }: NonNullable<TokenDetails["lookAlike"]>): string {
  // In isolation, so that a right-to-left symbol leaves the sentence around it in order.
  return t.risk.notes.lookAlike(`\u2068${displaySymbol(symbol)}\u2069`, shortAddress(mint), reason);
}

function* holding({ risk }: Pick<Rated, "risk">): Generator<RiskNote> {
  const { creatorPercent, top10Percent, creatorSoldOut, creatorGraduated } = risk;
  if (creatorSoldOut) yield { level: "note", text: t.risk.notes.creatorSoldOut };
  else if (creatorPercent !== null && creatorPercent > 0) {
    const level = creatorPercent >= highPercents.creator ? "warning" : "note";
    yield { level, text: t.risk.notes.creatorHolds(formatPercent(creatorPercent)) };
  } else yield { level: "good", text: t.risk.notes.creatorHoldsNone };
  if (top10Percent !== null && top10Percent >= highPercents.topTen) {
    yield { level: "warning", text: t.risk.notes.topTen(formatPercent(top10Percent)) };
  }
  if (creatorGraduated === true) {
    yield { level: "note", text: t.risk.notes.creatorGraduated };
  }
}

/** What those who were early, or close to the creator, got and have now. */
function* groups({ risk }: Pick<Rated, "risk">): Generator<RiskNote> {
  const { earlyBuyersPercent, snipers, snipersPercent, bundlers, bundlersPercent } = risk;
  const { insiders, insidersPercent } = risk;
  const level = (percent: number | null, high: number) => ((percent ?? 0) >= high ? "warning" : "note");
  if (bundlers > 0) {
    yield {
      level: level(bundlersPercent, highPercents.bundlers),
      text: t.risk.notes.bundlers(
        groupDigits(bundlers),
        share(risk.bundlersBoughtPercent),
        held(bundlersPercent),
      ),
    };
  }
  if (snipers > bundlers) {
    yield {
      level: level(snipersPercent, highPercents.early),
      text: t.risk.notes.snipers(
        groupDigits(snipers),
        bundlers > 0,
        share(risk.snipersBoughtPercent),
        held(snipersPercent),
      ),
    };
  }
  const isCreatorDecisive = snipersPercent === null || snipersPercent < highPercents.early;
  if (earlyBuyersPercent !== null && earlyBuyersPercent >= highPercents.early && isCreatorDecisive) {
    yield { level: "warning", text: t.risk.notes.earlyBuyers(formatPercent(earlyBuyersPercent)) };
  }
  if (insiders > 0) {
    yield {
      level: level(insidersPercent, highPercents.insiders),
      text: t.risk.notes.insiders(
        groupDigits(insiders),
        share(risk.insidersReceivedPercent),
        held(insidersPercent),
      ),
    };
  }
}

/** A share that may be larger than what circulates now, if much of it was sold back since. */
function share(percent: number | null): string {
  if (percent === null || percent > 100) return t.risk.notes.moreThanAll;
  return t.risk.notes.share(formatPercent(percent));
}

/** Undefined for nothing. */
const held = (percent: number | null): string | undefined =>
  percent === null || percent === 0 ? undefined : formatPercent(percent);

function* record({ creatorRecord }: Pick<Rated, "creatorRecord">): Generator<RiskNote> {
  const { tokensCreated, tokensGraduated, tokensSoldOut } = creatorRecord;
  if (tokensCreated <= 1) {
    yield { level: "note", text: t.risk.notes.firstToken };
    return;
  }
  const text = t.risk.notes.record(groupDigits(tokensCreated), tokensGraduated, tokensSoldOut);
  const level = tokensSoldOut * 2 > tokensCreated && tokensSoldOut > 1 ? "warning" : "note";
  yield { level, text };
}

function* identity({ registered, verified }: Rated): Generator<RiskNote> {
  if (!registered) yield { level: "note", text: t.risk.notes.unregistered };
  else if (!verified) {
    yield { level: "note", text: t.risk.notes.unsigned };
  } else yield { level: "good", text: t.risk.notes.signed };
}

function* depth({ buyImpacts }: Rated): Generator<RiskNote> {
  const [smallest] = buyImpacts;
  const percent = smallest?.priceImpactPercent;
  if (smallest === undefined || percent === null || percent === undefined || percent < 5) return;
  yield {
    level: percent >= 25 ? "warning" : "note",
    text: t.risk.notes.depth(`${smallest.amountBnb} ${coin.value}`, formatPercent(percent)),
  };
}

type ListedVerdictProps = {
  row: Parameters<typeof listedWarnings>[0];
  /** Whether there is room for the sign only. */
  isShort?: boolean;
};

/** The warnings of a token's page in a word, as far as the list knows them. */
export function ListedVerdict({ row, isShort = false }: ListedVerdictProps) {
  const warnings = listedWarnings(row);
  const { level, text } = riskVerdict(warnings);
  if (level === "none") return null;
  return (
    <span class={`card-verdict is-${level}`} title={warnings.map((note) => note.text).join("\n")}>
      <Icon name="warning" />
      {isShort ? <span class="visually-hidden">{text}</span> : text}
    </span>
  );
}
