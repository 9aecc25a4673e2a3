import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";

type JsonSchema = Record<string, unknown>;

/** Wraps a schema so that its JSON Schema is built only once. `skipValidation` is for values that are parsed elsewhere. */
export function cachedSchema(schema: z.ZodType, { skipValidation = false } = {}): StandardSchemaWithJSON {
  const standard = (schema as unknown as StandardSchemaWithJSON)["~standard"];
  const { jsonSchema } = standard;
  const built = new Map<string, JsonSchema>();

  const cached =
    (direction: "input" | "output") =>
    (options: Parameters<typeof jsonSchema.input>[0]): JsonSchema => {
      const key = JSON.stringify([direction, options]);
      const known = built.get(key) ?? build(jsonSchema[direction](options));
      built.set(key, known);
      return known;
    };

  const validate = skipValidation ? (value: unknown) => ({ value }) : standard.validate;
  return {
    "~standard": { ...standard, validate, jsonSchema: { input: cached("input"), output: cached("output") } },
  };
}

/** Without `$schema`, which takes 60 characters of each tool and names the dialect that the protocol prescribes anyway. */
function build({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return withoutTypeLists(schema) as JsonSchema;
}

/** Rewrites lists of types to `anyOf`: some clients accept only a single type in `type`. */
function withoutTypeLists(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutTypeLists);
  if (typeof schema !== "object" || schema === null) return schema;
  const { type, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withoutTypeLists(value)]),
  );
  if (type === undefined) return rest;
  if (!Array.isArray(type)) return { type, ...rest };
  const { description, ...constraints } = rest;
  const anyOf = type.map((each) => (each === "null" ? { type: each } : { type: each, ...constraints }));
  return { anyOf, ...(description === undefined ? {} : { description }) };
}
