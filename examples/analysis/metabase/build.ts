// npm run analysis:metabase writes questions.json: each shared question as Metabase's API takes it, and the dashboard of all.
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { describeSharedQuestion, type SharedQuestion, sharedQuestions } from "../questions.ts";

/** A chart's columns: those of the first list along its axis, the others as its values. */
type Chart = { display: "line" | "bar"; dimensions: string[]; metrics: string[] };

/** How each question is shown. The others are tables. */
const charts: Partial<Record<SharedQuestion, Chart>> = {
  "active-traders": {
    display: "line",
    dimensions: ["time"],
    metrics: ["traders", "new_traders", "returning_traders"],
  },
  "volume-by-venue": { display: "line", dimensions: ["time", "venue"], metrics: ["volume_bnb"] },
  "wash-trading": { display: "line", dimensions: ["time"], metrics: ["round_trip_bnb", "volume_bnb"] },
  concentration: { display: "line", dimensions: ["time", "mint"], metrics: ["gini"] },
  profits: { display: "bar", dimensions: ["result_bnb"], metrics: ["accounts"] },
  liquidity: {
    display: "line",
    dimensions: ["time"],
    metrics: ["graduated_bnb", "added_bnb", "removed_bnb"],
  },
  whales: {
    display: "line",
    dimensions: ["time"],
    metrics: ["whales_paid_bnb", "whales_received_bnb", "others_paid_bnb", "others_received_bnb"],
  },
  "first-hour": { display: "bar", dimensions: ["first_hour_traders"], metrics: ["tokens", "graduated"] },
};

/** The variables of each question. The dashboard has them too, with these types. */
const variables = [
  { name: "chain", label: "Chain", type: "number", dashboardType: "number/=", initial: 56 },
  { name: "from", label: "From", type: "date", dashboardType: "date/single", initial: "2020-01-01" },
  {
    name: "to",
    label: "Until, exclusive",
    type: "date",
    dashboardType: "date/single",
    initial: "2100-01-01",
  },
];

/** Builds the bodies of the requests that create the questions and their dashboard. import.mjs adds what an installation decides. */
export async function buildMetabase() {
  return {
    cards: await Promise.all(sharedQuestions.map(toCard)),
    dashboard: {
      name: "Launchpad: fifteen questions",
      parameters: variables.map(({ name, label, dashboardType, initial }) => ({
        id: name,
        slug: name,
        name: label,
        type: dashboardType,
        default: initial,
      })),
    },
  };
}

async function toCard(question: SharedQuestion) {
  const { title, description, sql } = await describeSharedQuestion(question);
  const chart = charts[question];
  return {
    name: title,
    description: description || null,
    display: chart?.display ?? "table",
    visualization_settings:
      chart === undefined ? {} : { "graph.dimensions": chart.dimensions, "graph.metrics": chart.metrics },
    dataset_query: {
      type: "native",
      native: {
        query: toQuery(sql),
        "template-tags": Object.fromEntries(
          variables.map(({ name, label, type, initial }) => [
            name,
            { id: name, name, "display-name": label, type, required: true, default: initial },
          ]),
        ),
      },
    },
  };
}

/** Replaces the parameters by variables. A day begins at midnight in UTC, whatever the session's time zone. */
function toQuery(sql: string): string {
  const secondsOf = (name: string) => `launchpad.seconds(({{${name}}})::timestamp at time zone 'UTC')`;
  return sql
    .replaceAll("$1", "{{chain}}")
    .replaceAll("$2", secondsOf("from"))
    .replaceAll("$3", secondsOf("to"));
}

if (pathToFileURL(process.argv[1] ?? "").href === import.meta.url) {
  const file = new URL("questions.json", import.meta.url);
  await writeFile(file, `${JSON.stringify(await buildMetabase(), null, 2)}\n`);
}
