import { expect, test } from "vitest";
import { z } from "zod";
import { cachedSchema } from "./server.ts";
import { tools } from "./tools/index.ts";

const jsonSchema = (schema: z.ZodType, direction: "input" | "output") =>
  cachedSchema(schema)["~standard"].jsonSchema[direction]({ target: "draft-2020-12" });

test("a nullable value is one of two types, with its description", () => {
  const { properties } = jsonSchema(
    z.object({ price: z.number().min(1).nullable().describe("Of one."), type: z.string() }),
    "output",
  );
  expect(properties).toEqual({
    price: { anyOf: [{ type: "number", minimum: 1 }, { type: "null" }], description: "Of one." },
    type: { type: "string" },
  });
});

test.each(tools.map((tool) => [tool.name, tool] as const))(
  "%s has no list of types",
  (_, { input, output }) => {
    const text = JSON.stringify([jsonSchema(input, "input"), jsonSchema(output, "output")]);
    expect(text).not.toContain('"type":[');
  },
);
