// npm run analysis:dbt writes sources.yml: the views as a dbt source.
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { stringify } from "yaml";
import { views } from "../../../runtime/ponder/views/create-views.ts";

type View = (typeof views)[number];

/** Columns whose values are found in a view's column, and the views of which that is so. */
const relations = [
  { column: "mint", view: "tokens", field: "mint", except: ["tokens"] },
  { column: "trader", view: "accounts", field: "account", except: [] },
  // The launchpad, pairs and burn addresses hold tokens too, and are no accounts.
  {
    column: "account",
    view: "accounts",
    field: "account",
    except: ["accounts", "holders", "balance_change"],
  },
];

/** Returns the text of sources.yml. */
export function dbtSources(): string {
  const source = {
    name: "launchpad",
    description: "The views for analysts: names and units stay the same across versions",
    schema: "launchpad",
    tables: views.map(toTable),
  };
  return stringify({ version: 2, sources: [source] }, { lineWidth: 0 });
}

function toTable(view: View) {
  const { name, comment: description, key, columns } = view;
  const unique = { "dbt_utils.unique_combination_of_columns": { combination_of_columns: [...(key ?? [])] } };
  return {
    name,
    description,
    ...(key === undefined || key.length === 1 ? {} : { data_tests: [unique] }),
    columns: Object.entries(columns).map(([column, [, about]]) => {
      const tests = columnTests(view, column);
      return { name: column, description: about, ...(tests.length === 0 ? {} : { data_tests: tests }) };
    }),
  };
}

function columnTests({ name, key }: View, column: string) {
  const related = relations.filter(
    (relation) => relation.column === column && !relation.except.includes(name),
  );
  return [
    ...(key?.includes(column) ? ["not_null"] : []),
    ...(key?.length === 1 && key[0] === column ? ["unique"] : []),
    ...related.map(({ view, field }) => ({ relationships: { to: `source('launchpad', '${view}')`, field } })),
  ];
}

if (pathToFileURL(process.argv[1] ?? "").href === import.meta.url) {
  await writeFile(new URL("sources.yml", import.meta.url), dbtSources());
}
