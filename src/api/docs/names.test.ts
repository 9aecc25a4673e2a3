import { readFile } from "node:fs/promises";
import { buildSchema, isObjectType } from "graphql";
import { expect, test } from "vitest";
import { z } from "zod";
import { views } from "../../../runtime/ponder/views/create-views.ts";
import { servedDocument } from "../../../test/service/served-document.ts";
import { tools } from "../mcp/tools/index.ts";

/* Every name in docs/names.md exists in its interface. */

type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
};

/** The cells of the page's tables of names, without their headings. */
async function readRows(): Promise<string[][]> {
  const page = await readFile(new URL("../../../docs/names.md", import.meta.url), "utf8");
  return page
    .slice(page.indexOf("## Tokens"))
    .split("\n")
    .filter((line) => /^\| (?!What)/.test(line))
    .map((line) => line.slice(1, -1).split("|"));
}

const namesIn = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

/** Whether a schema has the field at the end of a path, in any of its forms. */
function hasField(schema: Schema | undefined, path: string[], schemas: Record<string, Schema>): boolean {
  if (schema === undefined) return false;
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const target = schema.$ref?.split("/").at(-1);
  const forms = [schema.items, target === undefined ? undefined : schemas[target]];
  return (
    hasField(schema.properties?.[name], rest, schemas) ||
    [...forms, ...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.oneOf ?? [])].some((form) =>
      hasField(form, path, schemas),
    )
  );
}

test("every name exists in its interface", async () => {
  const rows = await readRows();
  expect(rows.length).toBeGreaterThan(30);
  const { schemas } = JSON.parse(await servedDocument()).components as { schemas: Record<string, Schema> };
  const outputs = Object.fromEntries(
    tools.map(({ name, output }) => [
      name,
      z.toJSONSchema(output, { io: "input", unrepresentable: "any" }) as Schema,
    ]),
  );
  const sdl = await readFile(new URL("../../../client/schema.graphql", import.meta.url), "utf8");
  const graphql = buildSchema(sdl);

  const isKnown = [
    (name: string) => hasField({ properties: schemas }, name.split("."), schemas),
    (name: string) => hasField({ properties: outputs }, name.split("."), {}),
    (name: string) => {
      const [type = "", field = ""] = name.split(".");
      const found = graphql.getType(type);
      return isObjectType(found) && field in found.getFields();
    },
    (name: string) => {
      const [view, column = ""] = name.split(".");
      return column in (views.find((known) => known.name === view)?.columns ?? {});
    },
  ];
  const unknown = rows.flatMap(([, ...cells]) =>
    isKnown.flatMap((isName, index) => namesIn(cells[index]).filter((name) => !isName(name))),
  );
  expect(unknown).toEqual([]);
});
