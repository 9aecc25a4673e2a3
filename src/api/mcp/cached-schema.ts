import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";

/** A schema whose JSON Schema is made once. `isChecked`: values of it were parsed before, and are not looked at again. */
export function cachedSchema(schema: z.ZodType, { isChecked = false } = {}): StandardSchemaWithJSON {
  const standard = (schema as unknown as StandardSchemaWithJSON)["~standard"];
  const { jsonSchema } = standard;
  const made = new Map<string, Record<string, unknown>>();

  const cached =
    (direction: "input" | "output") =>
    (options: Parameters<typeof jsonSchema.input>[0]): Record<string, unknown> => {
      const key = JSON.stringify([direction, options]);
      const known = made.get(key) ?? jsonSchema[direction](options);
      made.set(key, known);
      return known;
    };

  const validate = isChecked ? (value: unknown) => ({ value }) : standard.validate;
  return {
    "~standard": { ...standard, validate, jsonSchema: { input: cached("input"), output: cached("output") } },
  };
}
