import { numberToHex } from "viem";
import { expect, test } from "vitest";
import { answering, startEndpointServer } from "../../../chain-access/fixtures/endpoint-server.ts";
import type { EndpointStatus } from "../../../chain-access/gate/endpoint-status.ts";
import { chainSettings } from "../../../test/service/chain-settings.ts";
import { createChainClients } from "./chain-client.ts";

test("an endpoint that the indexer has excluded is asked last, as long as it is", async () => {
  const chainIds = [97, 56];
  const servers = await Promise.all(
    chainIds.map((id) => startEndpointServer(answering(() => numberToHex(id)))),
  );
  let state: EndpointStatus["state"] = "excluded";
  const readEndpoints = async () => new Map([[56, [{ state }, { state: "healthy" }] as EndpointStatus[]]]);
  const getClient = createChainClients(undefined, readEndpoints);
  const chain = chainSettings({ id: 56, rpcUrls: servers.map(({ url }) => url) });
  const askForId = () => getClient(chain).getChainId();
  await expect.poll(askForId).toBe(56);
  const asked = servers[0]?.received.length;
  for (let count = 0; count < 3; count++) expect(await askForId()).toBe(56);
  expect(servers[0]?.received.length).toBe(asked);
  state = "healthy";
  await expect.poll(askForId).toBe(97);
});
