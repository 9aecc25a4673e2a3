import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { chainSettings } from "../../../test/service/chain-settings.ts";
import { createChains } from "../chain/chains.ts";
import { createStreamClient } from "./broadcaster.ts";
import { createStreamRoute } from "./stream.ts";
import type { StreamService } from "./stream-service.ts";

const chains = createChains([chainSettings()]);

test("a stream is answered before it has an event, and ends with its client", async () => {
  const opened = Promise.withResolvers<ReturnType<typeof createStreamClient>>();
  const open = async ({ outgoing }: { outgoing: Writable }) => {
    const client = createStreamClient(1_000, outgoing);
    opened.resolve(client);
    return client;
  };
  const app = createStreamRoute({
    chains,
    stream: { open } as Partial<StreamService> as StreamService,
    trustedHops: 0,
  });
  const server = createServer((incoming, outgoing) => {
    void app.request(incoming.url ?? "", {}, { incoming, outgoing });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/api/stream`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const client = await opened.promise;
  client.send(Buffer.from("event"));
  client.close();
  expect(await answer.text()).toBe("event");
});
