import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { servedDocument } from "../../../test/service/served-document.ts";
import { commonHeaders } from "../http/common-headers.ts";

/* The rules of a linter that is common before generating clients, and some of our own. */

const document = await servedDocument();

test("Redocly's rules find nothing", async () => {
  const rules = {
    "no-invalid-parameter-examples": "error",
    "no-schema-type-mismatch": "error",
    "operation-description": "error",
    "parameter-description": "error",
    "tag-description": "error",
  } as const;
  const config = await createConfig({ extends: ["recommended"], rules });
  const problems = await lintFromString({ source: document, config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

type Schema = { $ref?: string; type?: unknown; properties?: Record<string, Schema>; allOf?: Schema[] };

/** Calls `visit` for every object of the document, with its path. */
function walkDocument(visit: (value: object, path: string) => void): void {
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    visit(value, path);
    for (const [key, child] of Object.entries(value)) walk(child, `${path}/${key}`);
  };
  walk(JSON.parse(document), "");
}

test("the parts of an allOf agree, as openapi-python-client demands", () => {
  const { schemas } = JSON.parse(document).components as { schemas: Record<string, Schema> };
  const resolve = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : (schemas[$ref.replace("#/components/schemas/", "")] ?? {});
  const typeOf = (schema: Schema) => JSON.stringify(resolve(schema).type);
  const contradicting: string[] = [];
  walkDocument((value, path) => {
    const parts = ((value as Schema).allOf ?? []).map(resolve);
    const types = new Set(parts.flatMap(({ type }) => (type === undefined ? [] : [JSON.stringify(type)])));
    if (types.size > 1) contradicting.push(path);
    for (const name of new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))) {
      const found = parts.flatMap(({ properties = {} }) =>
        properties[name] ? [typeOf(properties[name])] : [],
      );
      if (new Set(found).size > 1) contradicting.push(`${path}: ${name}`);
    }
  });
  const advice =
    "extend() of a named schema makes an allOf: where a field gets another type, write z.object({ ...schema.shape, field })";
  expect(contradicting, advice).toEqual([]);
});

test("every JSON body has a name, since generators would call it inline_object1", () => {
  const unnamed: string[] = [];
  walkDocument((value, path) => {
    const { content } = ((value as { requestBody?: object }).requestBody ?? {}) as {
      content?: Record<string, { schema: Schema }>;
    };
    const json = content?.["application/json"];
    if (json !== undefined && json.schema.$ref === undefined) unnamed.push(path);
  });
  expect(unnamed).toEqual([]);
});

test("scripts on other sites may read every header of an answer that is documented", () => {
  const documented = new Set<string>();
  walkDocument((value, path) => {
    const { headers = {} } = value as { headers?: object };
    if (/\/responses\/\d+$/.test(path)) for (const name of Object.keys(headers)) documented.add(name);
  });
  // Which browsers let scripts read anyway.
  const safelisted = ["Cache-Control", "Content-Length", "Content-Type"];
  const exposed = [...commonHeaders["access-control-expose-headers"].split(", "), ...safelisted];
  expect(documented).toContain("X-Truncated");
  expect([...documented].filter((name) => !exposed.includes(name))).toEqual([]);
});

test("no named schema is nullable itself", () => {
  const { schemas } = JSON.parse(document).components as { schemas: Record<string, Schema> };
  const nullable = Object.keys(schemas).filter((name) => Array.isArray(schemas[name]?.type));
  const advice =
    "nullable() on a named schema makes it null wherever it is used: write z.union([schema, z.null()])";
  expect(nullable, advice).toEqual([]);
});

test("null is allowed wherever a named schema is nullable", () => {
  const refusing: string[] = [];
  const allowsNull = ({ type }: Schema) => Array.isArray(type) && type.includes("null");
  walkDocument((value, path) => {
    if ("allOf" in value && (value.allOf as Schema[]).some(allowsNull)) refusing.push(path);
  });
  const advice =
    'nullable() on a named schema (.openapi("Trade")) makes one that refuses null: write z.union([trade, z.null()])';
  expect(refusing, advice).toEqual([]);
});
