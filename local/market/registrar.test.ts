import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createRegistrar } from "./registrar.ts";
import { traderAddresses } from "./traders.ts";
import type { MarketToken } from "./view.ts";

test("with RATE_LIMIT=on, the market waits for its turn instead of ending", async () => {
  const refused = new Set<string>();
  const registered: string[] = [];
  const server = createServer(async (request, response) => {
    const path = `${request.method} ${request.url?.split("?")[0]}`;
    let body = "";
    for await (const chunk of request) body += chunk;
    if (!refused.has(path)) {
      refused.add(path);
      response.writeHead(429, { "retry-after": "0" }).end("{}");
      return;
    }
    if (path === "POST /api/tokens") registered.push(JSON.parse(body).mint);
    response.end(JSON.stringify({ total: 0, url: "ipfs://picture" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;

  const [creator = "0x"] = traderAddresses;
  const tokens = Array.from({ length: 20 }, (_, number) => ({
    address: `0x${String(number + 10).padEnd(40, "0")}`,
    name: "Otter",
    symbol: "OTTER",
    creator,
    burnPercent: 50,
  })) as unknown as MarketToken[];
  await createRegistrar(`http://127.0.0.1:${port}`, new AbortController().signal)(tokens);
  expect([...refused].sort()).toEqual(["GET /api/tokens", "POST /api/tokens", "POST /api/upload-image"]);
  // Most of them, each once.
  expect(registered.length).toBeGreaterThan(10);
  expect(new Set(registered).size).toBe(registered.length);
});
