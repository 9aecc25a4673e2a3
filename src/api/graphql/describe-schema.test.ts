import { expect, test } from "vitest";
import * as exports from "../../../ponder.schema.ts";
import { createGraphql } from "./create-graphql.ts";

const ponder = createGraphql(exports);

test("every type, field and argument has a description", () => {
  const missing: string[] = [];
  let fields = 0;
  const note = (label: string, { description }: { description?: string | null | undefined }) => {
    if (!description) missing.push(label);
  };
  for (const type of Object.values(ponder.schema.getTypeMap())) {
    if (type.name.startsWith("__")) continue;
    note(type.name, type);
    if (!("getFields" in type)) continue;
    for (const field of Object.values(type.getFields())) {
      fields++;
      note(`${type.name}.${field.name}`, field);
      for (const argument of "args" in field ? field.args : []) {
        note(`${type.name}.${field.name}(${argument.name})`, argument);
      }
    }
  }
  expect(missing).toEqual([]);
  expect(fields).toBeGreaterThan(500);
});

test("descriptions are the schemas' comments, including units", () => {
  const described = (type: string, field: string) => {
    const found = ponder.schema.getType(type);
    return found !== undefined && "getFields" in found ? found.getFields()[field]?.description : undefined;
  };
  expect(described("trade", "bnbAmountWei")).toMatch(/wei/i);
  expect(described("tradeFilter", "bnbAmountWei_gt")).toMatch(/^Greater than this\. .*wei/i);
  expect(described("listing", "progress")).toBe(described("curve", "progress"));
  expect(described("listing", "description")).toMatch(/untrusted/i);
  expect(described("listing", "registeredAt")).toMatch(/seconds/);
  expect(ponder.schema.getType("candle")?.description).toMatch(/minute/);
});

test("times of registrations are in seconds", () => {
  const listing = ponder.schema.getType("listing");
  const field =
    listing !== undefined && "getFields" in listing ? listing.getFields().registeredAt : undefined;
  expect(String(field?.type)).toBe("BigInt!");
});
