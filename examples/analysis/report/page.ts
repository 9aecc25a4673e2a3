import { type AnswerRow, type Question, questions, type Scope } from "../questions.ts";
import { columnChart, escapeText, heatMap, label, rectangle, short, svg } from "./svg.ts";

type Section = { title: string; caption: string; chart: (rows: AnswerRow[]) => string };

const number = (text: string | null | undefined) => Number(text ?? 0);
const bnb = (wei: string | null | undefined) => number(wei) / 1e18;
const date = (seconds: string | null | undefined) =>
  new Date(1_000 * number(seconds)).toISOString().slice(0, 10);
const brief = (address: string | null | undefined) => `${address?.slice(0, 6)}…${address?.slice(-4)}`;

/** The title, caption and chart of each question. */
const sections: Record<Question, Section> = {
  "top-tokens-by-week": {
    title: "Top tokens by week",
    caption: "Volume of the five most traded tokens of each week (starting on Monday, UTC), in BNB.",
    chart: (rows) =>
      columnChart(
        "Volume of the top five tokens by week",
        Object.entries(Object.groupBy(rows, ({ week_start }) => date(week_start))).map(([name, ofWeek]) => ({
          name: name.slice(5),
          values: (ofWeek ?? []).map(({ token, volume_wei }) => ({
            name: brief(token),
            value: bnb(volume_wei),
          })),
        })),
        { stacked: true, unit: "BNB" },
      ),
  },
  "creator-cohorts": {
    title: "Creator cohorts",
    caption:
      "Creators by the month of their first token: the share of their tokens that graduated, in percent.",
    chart: (rows) =>
      columnChart(
        "Graduated share of tokens by the month of the creator's first token",
        rows.map(({ cohort, graduated, tokens }) => ({
          name: cohort ?? "",
          values: [{ name: "graduated", value: (100 * number(graduated)) / number(tokens) }],
        })),
        { unit: "%" },
      ),
  },
  "early-buyers": {
    title: "Who buys early and sells first",
    caption:
      "Accounts that bought in the first three blocks of a curve: how many of those tokens they were the first to sell.",
    chart: (rows) =>
      rowChart(
        "Tokens that an early buyer was the first to sell",
        rows.map(({ account, tokens_sold_first }) => ({
          name: brief(account),
          value: number(tokens_sold_first),
        })),
        "tokens",
      ),
  },
  "trader-retention": {
    title: "Trader retention",
    caption: "Traders by the week of their first trade, and the share that traded in each week after it.",
    chart: (rows) => {
      const sizes = new Map(
        rows.flatMap(({ first_week_start, weeks_later, traders }) =>
          weeks_later === "0" ? [[first_week_start, number(traders)]] : [],
        ),
      );
      return heatMap(
        "Share of traders by weeks after their first",
        rows.map(({ first_week_start, weeks_later, traders }) => {
          const share = number(traders) / (sizes.get(first_week_start) ?? 1);
          const row = date(first_week_start);
          const title = `${row}, ${weeks_later} weeks later: ${traders} traders, ${(100 * share).toFixed(1)} %`;
          return { row, column: number(weeks_later), share, title };
        }),
      );
    },
  },
  "price-impact": {
    title: "Price impact by size",
    caption:
      "How far a buy on the curve moves the price, in percent, by its size in BNB: the median, and the value that one in ten exceeds.",
    chart: (rows) =>
      columnChart(
        "Price impact of buys by size",
        rows.map(({ size_bnb, median_impact, p90_impact }) => ({
          name: size_bnb?.slice(2) ?? "",
          values: [
            { name: "median", value: number(median_impact) / 10_000 },
            { name: "90th percentile", value: number(p90_impact) / 10_000 },
          ],
        })),
        { unit: "%" },
      ),
  },
};

/** A chart with one horizontal bar per name, from top to bottom. */
function rowChart(name: string, rows: { name: string; value: number }[], unit: string): string {
  const [width, step, left] = [760, 22, 130];
  const maximum = Math.max(1, ...rows.map(({ value }) => value));
  const parts = rows.flatMap((row, index) => {
    const length = ((width - left - 60) * row.value) / maximum;
    const y = index * step + 4;
    return [
      label(left - 8, y + 13, row.name, "end"),
      rectangle(
        { x: left, y, width: length, height: step - 6 },
        'class="c0"',
        `${row.name}: ${short(row.value)} ${unit}`,
      ),
      label(left + length + 6, y + 13, short(row.value), "start"),
    ];
  });
  return svg(width, rows.length * step + 8, name, parts);
}

/** The number of rows that a table shows. */
const maxRows = 100;

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; --ink: #1c2330; --line: #d9dee7; --paper: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #dfe5ee; --line: #38414f; --paper: #141920; } }
body { color: var(--ink); background: var(--paper); max-width: 800px; margin: 2rem auto; padding: 0 1rem; }
h2 { margin: 2.5rem 0 0; }
svg { width: 100%; height: auto; font-size: 11px; }
svg text { fill: var(--ink); }
svg line { stroke: var(--line); }
.c0 { fill: #2f6fdf; } .c1 { fill: #5b95f0; } .c2 { fill: #22a06b; } .c3 { fill: #e2a03f; } .c4 { fill: #b05cc6; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 12px; font-variant-numeric: tabular-nums; }
td, th { border-bottom: 1px solid var(--line); padding: 2px 8px; text-align: right; }
summary { cursor: pointer; }
`;

/** A self-contained HTML page. */
export function page({ chain, until }: Scope, answers: ReadonlyMap<Question, AnswerRow[]>): string {
  const end = new Date(1_000 * until).toISOString().slice(0, 10);
  const parts = questions.map((question) => {
    const { title, caption, chart } = sections[question];
    const rows = answers.get(question) ?? [];
    return `<section id="${question}"><h2>${title}</h2><p>${escapeText(caption)}</p>${chart(rows)}${table(rows)}</section>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Launchpad analysis</title><style>${style}</style></head><body>
<h1>Launchpad analysis</h1><p>Chain ${chain}, all trades before ${end} (UTC).</p>
${parts.join("\n")}
</body></html>
`;
}

function table(rows: AnswerRow[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = (kind: string, texts: (string | null | undefined)[]) =>
    texts.map((text) => `<${kind}>${escapeText(text ?? "")}</${kind}>`).join("");
  const body = rows.slice(0, maxRows).map(
    (row) =>
      `<tr>${cells(
        "td",
        names.map((name) => row[name]),
      )}</tr>`,
  );
  const rest = rows.length > maxRows ? `<p>${rows.length - maxRows} more rows</p>` : "";
  return `<details><summary>${rows.length} rows</summary><div class="scroll"><table><thead><tr>${cells("th", names)}</tr></thead><tbody>${body.join("")}</tbody></table></div>${rest}</details>`;
}
