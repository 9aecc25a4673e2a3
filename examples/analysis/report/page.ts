import { type AnswerRow, type Question, questions, type Scope } from "../questions.ts";
import { sections } from "./sections.ts";
import { escapeText } from "./svg.ts";

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
