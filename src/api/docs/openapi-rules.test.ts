import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";
import { servedDocument } from "../../../test/service/served-document.ts";

/* The recommended rules of the two linters that are common before generating clients, and one rule of our own. */

const document = await servedDocument();

test("Redocly's recommended rules find nothing", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: document, config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

test("Spectral's recommended rules find nothing", async () => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[oas, "recommended"]] } as never);
  const problems = await spectral.run(JSON.parse(document));
  expect(problems.map(({ code, message, path }) => [code, message, path.join("/")])).toEqual([]);
});

test("null is allowed wherever a named schema is nullable", () => {
  const refusing: string[] = [];
  const allowsNull = ({ type }: { type?: unknown }) => Array.isArray(type) && type.includes("null");
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    if ("allOf" in value && (value.allOf as { type?: unknown }[]).some(allowsNull)) refusing.push(path);
    for (const [key, child] of Object.entries(value)) walk(child, `${path}/${key}`);
  };
  walk(JSON.parse(document), "");
  const advice =
    'nullable() on a named schema (.openapi("Trade")) makes one that refuses null: write z.union([trade, z.null()])';
  expect(refusing, advice).toEqual([]);
});
