import { Hono } from "hono";
import type { Hex, PublicClient } from "viem";
import { expect, test } from "vitest";
import type { ChainSettings } from "../../../../config/env.ts";
import { createReadLanes } from "../../concurrency/read-lanes.ts";
import { createDexAddresses } from "./dex-addresses.ts";

const address = "ab".repeat(20);
const chain = { id: 56, launchpad: `0x${"1".repeat(40)}` } as ChainSettings;

test("requests that wait for a chain's DEX hold up none that only read, and it is asked once", async () => {
  const endpoint = Promise.withResolvers<{ data: Hex }>();
  let asked = 0;
  const client = {
    call: async () => {
      asked++;
      return await endpoint.promise;
    },
  } as unknown as PublicClient;
  const getDexAddresses = createDexAddresses(() => client);
  const app = new Hono().use(createReadLanes({ trustedHops: 1 }));
  app.get("/api/dexscreener/asset", async (c) => c.json(await getDexAddresses(chain, c)));
  app.get("/api/token/:mint", (c) => c.text("read"));
  const get = async (path: string, client: number) =>
    await app.request(path, { headers: { "x-forwarded-for": `192.0.2.${client}` } });

  const assets = Array.from({ length: 8 }, (_, index) => get("/api/dexscreener/asset", index));
  expect((await get("/api/token/0x1", 99)).status).toBe(200);
  endpoint.resolve({ data: `0x${"0".repeat(24)}${address}` });
  const answers = await Promise.all(assets);
  answers.push(await get("/api/dexscreener/asset", 99));
  for (const answer of answers) {
    const { wbnb, factory } = (await answer.json()) as { wbnb: string; factory: string };
    expect([wbnb.toLowerCase(), factory.toLowerCase()]).toEqual([`0x${address}`, `0x${address}`]);
  }
  // For WBNB and for the factory.
  expect(asked).toBe(2);
});
