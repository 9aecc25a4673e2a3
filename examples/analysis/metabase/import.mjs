// Creates the fifteen questions and their dashboard in a Metabase, in a new collection:
//   METABASE_URL=https://metabase.example METABASE_API_KEY=mb_... node import.mjs 2
// where 2 is the number of the Postgres database in its address in Metabase (Admin → Databases). The key needs the right to create
// native queries on it.
import { readFile } from "node:fs/promises";

const { METABASE_URL, METABASE_API_KEY } = process.env;
const database = Number(process.argv[2]);
if (!METABASE_URL || !METABASE_API_KEY || !Number.isInteger(database)) {
  console.error("Usage: METABASE_URL=https://... METABASE_API_KEY=... node import.mjs DATABASE_NUMBER");
  process.exit(2);
}

const { cards, dashboard } = JSON.parse(await readFile(new URL("questions.json", import.meta.url), "utf8"));

/** Sends a request to Metabase's API, and resolves to its answer. */
async function send(method, path, body) {
  const response = await fetch(new URL(path, METABASE_URL), {
    method,
    headers: { "content-type": "application/json", "x-api-key": METABASE_API_KEY },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}

const { id: collection_id } = await send("POST", "/api/collection", { name: "Launchpad" });
const created = [];
for (const card of cards) {
  const dataset_query = { ...card.dataset_query, database };
  created.push(await send("POST", "/api/card", { ...card, dataset_query, collection_id }));
}
const { id } = await send("POST", "/api/dashboard", { ...dashboard, collection_id });
await send("PUT", `/api/dashboard/${id}`, {
  dashcards: created.map(({ id: card_id }, index) => ({
    // Metabase numbers new ones itself.
    id: -index - 1,
    card_id,
    row: 8 * Math.floor(index / 2),
    col: 12 * (index % 2),
    size_x: 12,
    size_y: 8,
    visualization_settings: {},
    parameter_mappings: dashboard.parameters.map((parameter) => ({
      parameter_id: parameter.id,
      card_id,
      target: ["variable", ["template-tag", parameter.id]],
    })),
  })),
});
console.log(`${created.length} questions and a dashboard: ${new URL(`/dashboard/${id}`, METABASE_URL)}`);
