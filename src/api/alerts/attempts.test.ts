import { Resolver } from "node:dns/promises";
import { BlockList } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type HttpServer, startHttpServer } from "../../../test/doubles/http-server.ts";
import { createAttempt } from "./attempts.ts";
import { newSecret } from "./receiver-secrets.ts";
import { createWebhookSender } from "./webhook-request.ts";

const servers: HttpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

test("however many names lead to an address that hangs, others get theirs at once", async () => {
  const privateNetworks = new BlockList();
  privateNetworks.addSubnet("127.0.0.0", 8, "ipv4");
  const resolver = Object.assign(new Resolver(), {
    resolve4: async () => ["127.0.0.1"],
    resolve6: async () => [],
  });
  const sender = createWebhookSender({ privateNetworks, proxy: undefined, resolver });
  const attempt = createAttempt({ privateNetworks, proxy: undefined, requestsPerHost: 10_000 }, sender);
  const send = (url: string) => attempt({ url, secret: newSecret() }, "1", "{}");

  let requests = 0;
  const ended = Promise.withResolvers<void>();
  const hanging = await startHttpServer(async () => {
    requests++;
    await ended.promise;
    return { status: 204, body: "" };
  });
  const other = await startHttpServer(async () => ({ status: 204, body: "" }), 0, "127.0.0.2");
  servers.push(hanging, other);
  const { port } = new URL(hanging.url);
  // More than may be sent at a time, ten to a name.
  const stuck = Array.from({ length: 260 }, (_, count) =>
    send(`http://${count % 26}.otter.example:${port}/`),
  );
  await expect.poll(() => requests).toBe(64);
  expect(await send(other.url)).toMatchObject({ status: 204 });
  expect(requests).toBe(64);
  ended.resolve();
  expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(new Set([204]));
  sender.close();
});
