import { expect, test } from "vitest";
import { onConnection } from "../../offchain/connection.ts";
import { recordLiveSchema } from "../../offchain/live-schema.ts";
import { databaseForEachTest } from "../../test/service/database.ts";
import { chooseNextSchema, chooseSchema } from "./choose-schema.ts";
import { prepareSwitch, publishFirstSchema, switchBack, switchSchema } from "./publish-schema.ts";

const database = databaseForEachTest();

const unset = { databaseSchema: "onchain", isSchemaSet: false };
const set = (databaseSchema: string) => ({ databaseSchema, isSchemaSet: true });

async function choose(settings: typeof unset) {
  const lines: string[] = [];
  const schema = await chooseSchema({ url: database.url, settings, log: (line) => lines.push(line) });
  return { schema, lines };
}
const next = (settings: typeof unset, running: string, to?: string) =>
  chooseNextSchema({ url: database.url, settings }, { schema: running, to });
const publish = (schema: string) => onConnection(database.url, (client) => recordLiveSchema(client, schema));

test("a start uses the live schema, and warns about a setting that names another", async () => {
  expect(await choose(unset)).toEqual({ schema: "onchain", lines: [] });
  expect(await choose(set("mine"))).toEqual({ schema: "mine", lines: [] });
  await publishFirstSchema(database.url, "mine");
  // The first live schema stays live, whatever else is started.
  await publishFirstSchema(database.url, "onchain");
  expect(await choose(unset)).toEqual({ schema: "mine", lines: [] });
  expect(await choose(set("mine"))).toEqual({ schema: "mine", lines: [] });
  const { schema, lines } = await choose(set("onchain"));
  expect(schema).toBe("onchain");
  expect(lines).toEqual([
    expect.stringMatching(/^warning: DATABASE_SCHEMA is onchain, and the live schema is mine \(/),
  ]);
});

test("an upgrade uses the requested schema, or the configured one, or the next that was never live", async () => {
  await publish("onchain");
  expect(await next(unset, "onchain")).toBe("onchain_2");
  expect(await next(set("onchain"), "onchain")).toBe("onchain_2");
  expect(await next(set("mine"), "onchain")).toBe("mine");
  expect(await next(set("mine"), "onchain", "given")).toBe("given");
  await expect(next(unset, "onchain", "onchain")).rejects.toThrow("already uses the schema onchain");
  await expect(next(unset, "onchain", "offchain")).rejects.toThrow("--to is wrong: it must not be offchain");
  await publish("onchain_2");
  expect(await next(unset, "onchain_2")).toBe("onchain_3");
  await publish("onchain");
  expect(await next(unset, "onchain")).toBe("onchain_3");
});

test("a switch that is rolled back leaves no trace", async () => {
  await publish("onchain");
  const adoption = { from: "onchain", to: "onchain_2" };
  const live = async () => (await choose(unset)).schema;
  await switchBack(database.url, adoption);
  expect(await live()).toBe("onchain");
  await switchSchema(database.url, {
    ...adoption,
    settled: await prepareSwitch(database.url, adoption, expect.fail),
  });
  expect(await live()).toBe("onchain_2");
  await switchBack(database.url, adoption);
  expect(await live()).toBe("onchain");
  expect(await next(unset, "onchain")).toBe("onchain_2");
  expect(await database.query("select schema from offchain.stream_pause")).toEqual([{ schema: "onchain_2" }]);
});
