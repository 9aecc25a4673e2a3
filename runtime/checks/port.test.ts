import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { assertPortFree, freePort, portIsFree } from "./host.ts";

const server = createServer();

afterEach(() => {
  server.close();
});

test.each(["127.0.0.1", "0.0.0.0", undefined])(
  "a port taken on %s is reported, with what to do",
  async (host) => {
    const port = await freePort();
    server.listen(port, host);
    await once(server, "listening");

    expect(await portIsFree(port)).toBe(false);
    await expect(assertPortFree(port, "API", "PORT")).rejects.toMatchObject({
      name: "StartError",
      code: "port-taken",
      message: `port ${port} (API) is taken by another process: set PORT to a free one or stop it`,
    });
    server.close();
    await once(server, "close");
  },
);

test("only the given address is checked", async () => {
  const port = await freePort();
  server.listen(port, "127.0.0.2");
  await once(server, "listening");
  await assertPortFree(port, "API", "PORT", "127.0.0.1");
  await expect(assertPortFree(port, "API", "PORT", "127.0.0.2")).rejects.toMatchObject({
    code: "port-taken",
  });
  await expect(assertPortFree(port, "API", "PORT", "192.0.2.1")).rejects.toMatchObject({
    message: "192.0.2.1 (API) is not an address of this machine",
  });
});

test("a free port passes the check and stays free", async () => {
  const port = await freePort();
  await assertPortFree(port, "API", "PORT");
  await assertPortFree(port, "API", "PORT");
  expect(await portIsFree(port)).toBe(true);
});

test("a free port is below the system's ephemeral range", async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
