// npm run analysis:dashboard writes dashboard.json: one panel for each shared question, over a PostgreSQL data source.
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { describeSharedQuestion, type SharedQuestion, sharedQuestions } from "../questions.ts";

/** How each question is shown. Answers with one row per time and only numbers beside it can be time series. */
const charts: Record<SharedQuestion, "timeseries" | "barchart" | "table"> = {
  "active-traders": "timeseries",
  cohorts: "table",
  funnel: "table",
  "volume-by-venue": "timeseries",
  creators: "table",
  bundles: "table",
  "wash-trading": "timeseries",
  concentration: "timeseries",
  profits: "barchart",
  snipers: "table",
  "price-impact": "table",
  survival: "table",
  liquidity: "timeseries",
  whales: "timeseries",
  "first-hour": "barchart",
};

const datasource = { type: "grafana-postgresql-datasource", uid: "$" + "{datasource}" };

/** Builds the dashboard in Grafana's classic JSON model. */
export async function buildDashboard() {
  const panels = await Promise.all(sharedQuestions.map(toPanel));
  return {
    title: "Launchpad: fifteen questions",
    uid: "launchpad-questions",
    schemaVersion: 39,
    version: 1,
    editable: true,
    tags: ["launchpad"],
    timezone: "utc",
    time: { from: "now-30d", to: "now" },
    refresh: "",
    annotations: { list: [] },
    links: [],
    templating: {
      list: [
        { name: "datasource", label: "Data source", type: "datasource", query: datasource.type },
        {
          name: "chain",
          label: "Chain",
          type: "query",
          datasource,
          query: "select chain_id from launchpad.chains order by chain_id",
          refresh: 1,
        },
      ],
    },
    panels,
  };
}

async function toPanel(question: SharedQuestion, index: number) {
  const { title, description, sql } = await describeSharedQuestion(question);
  const type = charts[question];
  return {
    id: index + 1,
    type,
    title,
    description,
    datasource,
    gridPos: { h: 9, w: 12, x: 12 * (index % 2), y: 9 * Math.floor(index / 2) },
    fieldConfig: { defaults: {}, overrides: [] },
    options: {},
    targets: [
      {
        refId: "A",
        datasource,
        editorMode: "code",
        format: type === "timeseries" ? "time_series" : "table",
        rawQuery: true,
        rawSql: toRawSql(sql),
      },
    ],
  };
}

/** Replaces the parameters by the dashboard's variable and Grafana's macros. */
function toRawSql(sql: string): string {
  return sql
    .replaceAll(/(\w*timestamp) >= \$2 and \1 < \$3/g, (_, column: string) => `$__unixEpochFilter(${column})`)
    .replaceAll("$1", () => "$chain")
    .replaceAll("$2", () => "$__unixEpochFrom()")
    .replaceAll("$3", () => "$__unixEpochTo()");
}

if (pathToFileURL(process.argv[1] ?? "").href === import.meta.url) {
  const file = new URL("dashboard.json", import.meta.url);
  await writeFile(file, `${JSON.stringify(await buildDashboard(), null, 2)}\n`);
}
