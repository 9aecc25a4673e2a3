import { expect, test } from "vitest";
import { createEndpoint } from "../endpoint/endpoint.ts";
import { answering, failing, startEndpointServer } from "../fixtures/endpoint-server.ts";
import { excludeOtherChains, findAnchor } from "./anchor.ts";

const [ours, theirs] = [`0x${"11".repeat(32)}`, `0x${"22".repeat(32)}`] as const;

const headerOf = (hash: string, number = "0x7") => ({
  number,
  hash,
  parentHash: ours,
  timestamp: "0x1",
  logsBloom: `0x${"00".repeat(256)}`,
});

/** Creates endpoints whose blocks have these hashes. Undefined: the endpoint fails. Null: it lacks the block. */
async function endpointsWith(...hashes: (string | null | undefined)[]) {
  return await Promise.all(
    hashes.map(async (hash, index) => {
      const behaviour =
        hash === undefined
          ? failing(-32_000, "oh")
          : answering(() => (hash === null ? null : headerOf(hash)));
      const { url } = await startEndpointServer(behaviour);
      return createEndpoint({ url, name: `endpoint ${index + 1}` });
    }),
  );
}

test("endpoints of another chain are excluded, those that prove nothing stay", async () => {
  const endpoints = await endpointsWith(ours, theirs, undefined, null);
  expect(await excludeOtherChains(endpoints, { number: 7, hash: ours })).toBe(true);
  expect(endpoints.map(({ excluded }) => excluded)).toEqual([
    undefined,
    `it is on another chain: its block 7 is ${theirs}, and ours ${ours}`,
    undefined,
    undefined,
  ]);
});

test("if all are on another chain, none is left until one has come back", async () => {
  const server = await startEndpointServer(answering(() => headerOf(theirs)));
  const endpoints = [createEndpoint({ url: server.url, name: "endpoint 1" })];
  expect(await excludeOtherChains(endpoints, { number: 7, hash: ours })).toBe(false);
  server.behaviour = answering(() => headerOf(ours));
  expect(await excludeOtherChains(endpoints, { number: 7, hash: ours })).toBe(true);
  expect(endpoints[0]?.excluded).toBeUndefined();
});

test("an answer with another block, or with half of one, proves nothing, and counts as a fault", async () => {
  const answers = [headerOf(theirs, "0x8"), { number: "0x7", hash: theirs }];
  for (const answer of answers) {
    const { url } = await startEndpointServer(answering(() => answer));
    const endpoint = createEndpoint({ url, name: "endpoint 1" });
    expect(await excludeOtherChains([endpoint], { number: 7, hash: ours })).toBe(true);
    expect([endpoint.excluded, endpoint.isHealthy]).toEqual([undefined, false]);
  }
});

test("the majority of endpoints decides, and a tie is an error that names both", async () => {
  expect(await findAnchor(await endpointsWith(ours, theirs, ours), 7)).toEqual({ number: 7, hash: ours });
  expect(await findAnchor(await endpointsWith(theirs, undefined), 7)).toEqual({ number: 7, hash: theirs });
  expect(await findAnchor(await endpointsWith(undefined, null), 7)).toBeUndefined();
  await expect(findAnchor(await endpointsWith(ours, theirs), 7)).rejects.toThrow(
    `the endpoints disagree: block 7 is ${ours} at endpoint 1, and ${theirs} at endpoint 2`,
  );
});
