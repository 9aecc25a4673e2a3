import { expect, test } from "vitest";
import { countTicks } from "../../../test/service/tick-count.ts";
import { streamBytes } from "./shared-json.ts";

const megabyte = Uint8Array.from({ length: 2 ** 20 }, (_, index) => index % 251);

test("however many downloads there are, the event loop ticks after each chunk", async () => {
  const ticks = countTicks();
  const bodies = await Promise.all(
    Array.from({ length: 20 }, () => new Response(streamBytes(megabyte)).bytes()),
  );
  ticks.stop();
  for (const body of bodies) expect(Buffer.compare(body, megabyte)).toBe(0);
  expect(ticks.now()).toBeGreaterThanOrEqual((20 * megabyte.length) / (64 * 1_024));
});

test("a download that ends early takes no more turns", async () => {
  const reader = streamBytes(megabyte).getReader();
  const { value } = await reader.read();
  expect(value).toHaveLength(64 * 1_024);
  const next = reader.read();
  await reader.cancel();
  expect((await next).done).toBe(true);
});
