import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";
import { servedDocument } from "../../../test/service/served-document.ts";

/* The recommended rules of the two linters that most who generate clients of a document run on it. */

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
