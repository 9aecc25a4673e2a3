import { afterEach, expect, test, vi } from "vitest";
import { answering, failing, respondingWith, startEndpointServer } from "../fixtures/endpoint-server.ts";
import { createEndpoint } from "./endpoint.ts";
import { EndpointFault } from "./fault.ts";

afterEach(() => void vi.useRealTimers());

const call = (method: string, ...params: unknown[]) => ({ method, params });

test("answers come in the order of the calls, whatever the order of the batch", async () => {
  const { url } = await startEndpointServer(answering(({ params }) => params[0]));
  const endpoint = createEndpoint({ url, name: "#1" });
  expect(await endpoint.send([call("a", 1)])).toEqual([1]);
  expect(await endpoint.send([call("a", 1), call("b", null), call("c", 3)])).toEqual([1, null, 3]);
  expect(endpoint.counts).toMatchObject({ requests: 2, calls: 4, failed: 0 });
});

test("an answer may have an error that is null", async () => {
  const { url } = await startEndpointServer(([request], response) => {
    response.end(JSON.stringify({ jsonrpc: "2.0", id: request?.id, result: "0x1", error: null }));
  });
  expect(await createEndpoint({ url, name: "#1" }).send([call("eth_blockNumber")])).toEqual(["0x1"]);
});

test.each([
  ["rate", respondingWith(429, "slow down", { "retry-after": "2" })],
  ["rate", failing(429, "too many requests")],
  ["server", respondingWith(502, "<html>Bad Gateway</html>")],
  ["server", respondingWith(200, "<html>maintenance</html>")],
  ["server", respondingWith(200, '{"jsonrpc":"2.0","id":1,"result":"0x')],
  ["server", respondingWith(200, '{"jsonrpc":"2.0","id":77,"result":"0x1"}')],
  ["server", respondingWith(200, '{"jsonrpc":"2.0","id":1}')],
  ["refused", failing(-32601, "the method eth_x does not exist")],
])("a fault of kind %s (case %#)", async (kind, behaviour) => {
  const { url } = await startEndpointServer(behaviour);
  // The pause could be over before it is looked at.
  vi.useFakeTimers({ toFake: ["performance"] });
  const endpoint = createEndpoint({ url, name: "#1" });
  const [answer] = await endpoint.send([call("eth_blockNumber")]).catch((error: unknown) => [error]);
  expect(answer).toBeInstanceOf(EndpointFault);
  expect((answer as EndpointFault).kind).toBe(kind);
  if (kind === "rate" || kind === "server") expect(endpoint.waitFor(1)).toBeGreaterThan(0);
  expect((answer as EndpointFault).message).not.toContain(url);
});

test("a provider's own words in place of an answer are called that", async () => {
  const { url } = await startEndpointServer(respondingWith(200, '{"code":403,"message":"no such project"}'));
  const sent = createEndpoint({ url, name: "#1" }).send([call("eth_blockNumber")]);
  await expect(sent).rejects.toThrow("an answer that is not JSON-RPC");
});

test("an endpoint that can't be reached is at fault, not the caller", async () => {
  const endpoint = createEndpoint({ url: "http://127.0.0.1:1/key", name: "#1" });
  await expect(endpoint.send([call("eth_blockNumber")])).rejects.toMatchObject({ kind: "server" });
  expect(endpoint.isHealthy).toBe(false);
});

test("no fault names the endpoint's address or key", async () => {
  const key = "0123456789abcdef";
  const { url } = await startEndpointServer(failing(-32000, `no access for ${key} at 127.0.0.1`));
  const endpoint = createEndpoint({ url: `${url}/v2/${key}`, name: "#1" });
  const faults = (await endpoint.send([call("a"), call("b")])) as EndpointFault[];
  expect(faults.map(({ message }) => message)).toEqual(["no access for … at …", "no access for … at …"]);
  expect(endpoint.lastFault).toBe("no access for … at …");

  const hostOf = (url: string) => createEndpoint({ url, name: "#1" }).host;
  expect(hostOf(`https://user:${key}@bsc.example.org:8545/v2/${key}`)).toBe("bsc.example.org:8545");
  expect(hostOf(`https://${key}abcd.bsc.example.org`)).toBe("….bsc.example.org");

  const { url: closing } = await startEndpointServer((_, response) => void response.destroy());
  const away = createEndpoint({ url: closing, name: "#2" });
  await away.send([call("a")]).catch(() => {});
  expect(away.lastFault).toMatch(/^connection failed: \w+$/);
});

test("a fault of one call of a batch leaves the others' results", async () => {
  const { url } = await startEndpointServer((requests, response) => {
    const answers = requests.map(({ id }, index) =>
      index === 1 ? { id, error: { code: -32000, message: "header not found" } } : { id, result: index },
    );
    response.end(JSON.stringify(answers));
  });
  const [first, second, third] = await createEndpoint({ url, name: "#1" }).send([
    call("a"),
    call("b"),
    call("c"),
  ]);
  expect([first, third]).toEqual([0, 2]);
  expect(second).toMatchObject({ kind: "server" });
});
