import { expect, test } from "vitest";
import { createEndpoint } from "../endpoint/endpoint.ts";
import { answering, startEndpointServer } from "../fixtures/endpoint-server.ts";
import { numberToHex } from "../hex.ts";
import { readHeads } from "./heads.ts";

/** Endpoints that report a head, and have the blocks up to another one. */
const endpointsOf = async (...heads: { reported: number; real: number }[]) =>
  await Promise.all(
    heads.map(async ({ reported, real }, index) => {
      const { url } = await startEndpointServer(
        answering(({ method, params }) => {
          if (method === "eth_blockNumber") return numberToHex(reported);
          return Number(params[0]) <= real ? { number: params[0] } : null;
        }),
      );
      return createEndpoint({ url, name: `#${index + 1}` });
    }),
  );

const honest = (head: number) => ({ reported: head, real: head });
const lying = { reported: 1_000_000, real: 500 };

test.each([
  ["one endpoint counts by itself", [honest(500)], 500],
  ["of two that are close, the second counts", [honest(500), honest(498)], 498],
  ["of two, one that is stuck doesn't hold the other back", [honest(500), honest(300)], 500],
  ["of two, a head that isn't there doesn't count", [lying, honest(498)], 498],
  ["of three, the second highest counts", [lying, honest(500), honest(300)], 500],
])("%s", async (_, heads, expected) => {
  expect(await readHeads(await endpointsOf(...heads))).toBe(expected);
});
