import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";

type JsonSchema = Record<string, unknown>;

/** A schema whose JSON Schema is made once. `isChecked`: values of it were parsed before, and are not looked at again. */
export function cachedSchema(schema: z.ZodType, { isChecked = false } = {}): StandardSchemaWithJSON {
  const standard = (schema as unknown as StandardSchemaWithJSON)["~standard"];
  const { jsonSchema } = standard;
  const made = new Map<string, JsonSchema>();

  const cached =
    (direction: "input" | "output") =>
    (options: Parameters<typeof jsonSchema.input>[0]): JsonSchema => {
      const key = JSON.stringify([direction, options]);
      const known = made.get(key) ?? (portable(jsonSchema[direction](options)) as JsonSchema);
      made.set(key, known);
      return known;
    };

  const validate = isChecked ? (value: unknown) => ({ value }) : standard.validate;
  return {
    "~standard": { ...standard, validate, jsonSchema: { input: cached("input"), output: cached("output") } },
  };
}

/** The same schema with one type in each `type`: some clients take no list of types there. */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== "object" || schema === null) return schema;
  const { type, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, portable(value)]),
  );
  if (type === undefined) return rest;
  if (!Array.isArray(type)) return { type, ...rest };
  const { description, ...constraints } = rest;
  const anyOf = type.map((each) => (each === "null" ? { type: each } : { type: each, ...constraints }));
  return { anyOf, ...(description === undefined ? {} : { description }) };
}
