import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";
import { readEnvironment } from "../../../config/env.ts";
import { createChainClients } from "../chain/chain-client.ts";
import { createPool, openDatabase } from "../database/database.ts";
import { watchIndex } from "../freshness/index-watch.ts";
import type { ImageService } from "../images/image-service.ts";
import { createRest } from "../rest.ts";
import type { StreamService } from "../stream/stream-service.ts";

/* The recommended rules of the two linters that most who generate clients of a document run on it. */

/** The document as it is served, without a database behind it: nothing but routes is asked. */
async function servedDocument(): Promise<string> {
  const pool = createPool({
    url: "postgres://127.0.0.1:1/none",
    name: "none",
    connections: 1,
    statementSeconds: 1,
  });
  const db = openDatabase(pool);
  const getClient = createChainClients();
  const watch = watchIndex({ chains: [], db, getClient });
  watch.stop();
  const rest = createRest({
    environment: { ...readEnvironment({}), baseUrl: "https://launchpad.example" },
    db,
    getClient,
    watch,
    registryPool: pool,
    controlPool: pool,
    images: {} as ImageService,
    stream: {} as StreamService,
  });
  const text = await (await rest.request("/api/openapi.json")).text();
  await pool.end();
  return text;
}

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
