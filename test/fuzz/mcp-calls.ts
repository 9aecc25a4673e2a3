import fc from "fast-check";
import { anyCharacter } from "./any-character.ts";

type Schema = {
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
};

export type FuzzedTool = { name: string; inputSchema: unknown };

/** Existing addresses and hashes, for calls that get past the validation of their arguments. */
type Known = { addresses: string[]; hashes: string[] };

/** Calls of tools with arguments that mostly fit their schemas, and sometimes don't. */
export function mcpCalls(tools: FuzzedTool[], known: Known): fc.Arbitrary<[string, Record<string, unknown>]> {
  return fc.oneof(
    ...tools.map(({ name, inputSchema }) => {
      const { properties = {} } = inputSchema as Schema;
      const fields = Object.entries(properties).map(([field, schema]) => [
        field,
        value(field, schema, known),
      ]);
      return fc.tuple(
        fc.constant(name),
        fc.record(Object.fromEntries(fields), { requiredKeys: usualArguments(properties) as never[] }),
      );
    }),
  ) as fc.Arbitrary<[string, Record<string, unknown>]>;
}

/** The arguments that most tools need, which calls usually have. */
const usualArguments = (properties: object) =>
  [
    "mint",
    "account",
    "side",
    "amount",
    "hash",
    "name",
    "symbol",
    "query",
    "creator",
    "burnPercent",
    "timeout",
  ].filter((field) => field in properties);

function value(field: string, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: validValue(field, schema, known) },
    { weight: 1, arbitrary: wrong },
  );
}

const wrong = fc.oneof(
  fc.constantFrom<unknown>(null, "", {}, [], true, -1, 1e21, "\u202e\u0000", "x".repeat(3_000), { a: [] }),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);

function validValue(field: string, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  // Any other timeout would make the call wait that long.
  if (field === "timeout") return fc.constant(0);
  // A later block would make the call wait for it.
  if (field === "minBlock") return fc.constantFrom(undefined, 0, 1);
  // Most other values of these fail validation.
  if (field === "chainId") return fc.constantFrom(undefined, undefined, undefined, undefined, 56, 97);
  if (/cursor$/i.test(field)) return fc.constantFrom(...Array(9).fill(undefined), "e30", "0-0");
  if (field === "amount") return fc.constantFrom("0.001", "50%", "max", "$5", "0", "1000000000", "99.99%");
  if (field === "query")
    return fc.constantFrom("{ tokens { totalCount } }", "{ x }", "mutation { x }", "{ __typename }");
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((each) => validValue(field, each, known)));
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.pattern?.includes("{40}")) return fc.constantFrom(...known.addresses);
  if (schema.pattern?.includes("{64}")) return fc.constantFrom(...known.hashes);
  const { minimum: min = 0, maximum: max = 100, items = {} } = schema;
  if (schema.type === "integer") return fc.integer({ min, max: Math.min(max, 200) });
  if (schema.type === "number")
    return fc.integer({ min: 0, max: 5_000 }).map((hundredths) => hundredths / 100);
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "array") return fc.array(validValue(field, items, known), { maxLength: 5 });
  return fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: "grapheme", maxLength: 12 }));
}
