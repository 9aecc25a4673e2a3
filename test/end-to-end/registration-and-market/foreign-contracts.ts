import type { Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts } from "../../chain/anvil.ts";
import { createByHostileWallet } from "../../chain/hostile-wallet.ts";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { type HttpServer, startHttpServer } from "../../doubles/http-server.ts";
import type { RpcGate } from "../../doubles/rpc-gate.ts";
import { beginPost } from "../../fuzz/begun-post.ts";
import { until } from "../../service/condition.ts";
import { registrationOf, signed } from "../../service/registration.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { RegistrationServed } from "./served.ts";

export function testForeignContracts(served: () => RegistrationServed): void {
  const creator = accounts[1] as (typeof accounts)[number];
  const aSignature = `0x${"12".repeat(65)}`;

  let chain: LaunchpadChain;
  let gate: RpcGate;
  let service: Service;
  let rest: RestClient;
  let now: number;
  /** The attacker's server, and the requests that reached it. */
  let attackerServer: HttpServer;
  const attackerRequests: string[] = [];

  beforeAll(async () => {
    ({ chain, gate, service, rest } = served());
    attackerServer = await startHttpServer(async ({ method, url }) => {
      attackerRequests.push(`${method} ${url}`);
      return { status: 200, body: '{"data":"0x"}' };
    });
    now = Math.floor(Date.now() / 1_000) - 100;
  });

  afterAll(() => attackerServer?.close());

  const registrationUrl = () => `${service.indexer.url}/api/tokens`;
  const indexed = async () => service.indexer.untilIndexed(56, await chain.head());
  const post = async (registration: object) => {
    const { status, body, text } = await rest.post("/api/tokens", registration);
    return { answer: [status, body.code ?? body.description], text };
  };
  const contractRegistration = (
    { mint, wallet }: { mint: Address; wallet: Address },
    changes: object = {},
  ) => ({
    ...registrationOf(mint, wallet),
    signature: aSignature,
    issuedAt: now,
    ...changes,
  });
  async function registerOrdinary(description: string) {
    const mint = await chain.create(creator.address);
    await indexed();
    return await signed(rest, creator, registrationOf(mint, creator.address, { description }), now);
  }

  test("a contract can't make the service send requests (OffchainLookup)", async () => {
    const urls = [`${attackerServer.url}/{sender}/{data}`, `${attackerServer.url}/post`];
    const token = await createByHostileWallet(chain, { manner: "OffchainLookup", urls });
    await indexed();
    expect((await post(contractRegistration(token))).answer).toEqual([422, "invalid_signature"]);
    expect(attackerRequests).toEqual([]);
  });

  test.each([
    ["answers with more than it has gas for", { manner: "LongAnswer", length: 6_000_000 }],
    ["gives a valid answer with half a megabyte behind it", { manner: "LongAnswer", length: 500_000 }],
    ["reverts with megabytes", { manner: "LongRevert", length: 6_000_000 }],
    ["reverts with half a megabyte", { manner: "LongRevert", length: 500_000 }],
    ["burns all gas", { manner: "BurnGas" }],
  ] as const)(
    "a contract that %s counts as not having signed, and its output stays out of the answer",
    async (_, options) => {
      const token = await createByHostileWallet(chain, options);
      await indexed();
      const { answer, text } = await post(contractRegistration(token));
      expect(answer).toEqual([422, "invalid_signature"]);
      expect(text).not.toMatch(/revert|gas|0x/i);
    },
  );

  test("a wallet whose answer has extra words counts as having signed", async () => {
    const token = await createByHostileWallet(chain, { manner: "LongAnswer", length: 4_096 });
    await indexed();
    expect((await post(contractRegistration(token, { description: "Long" }))).answer).toEqual([201, "Long"]);
  });

  test("contract signatures that are slow to check don't delay other registrations", async () => {
    const tokens: { wallet: Address; mint: Address }[] = [];
    for (let count = 0; count < 3; count++) {
      tokens.push(await createByHostileWallet(chain, { manner: "BurnGas" }));
    }
    const slow = Array.from({ length: 30 }, (_, index) =>
      contractRegistration(tokens[index % tokens.length] as (typeof tokens)[number]),
    );
    expect(new Set(await expectOrdinaryNotDelayed(slow, "Meanwhile"))).toContain(422);
  });

  test("mints that have to be looked up on the chain don't delay registrations of indexed ones", async () => {
    const unknown = Array.from({ length: 30 }, (_, index) =>
      registrationOf(`0x${(index + 1).toString(16).padStart(40, "0")}`, creator.address),
    );
    expect(new Set(await expectOrdinaryNotDelayed(unknown, "Indexed"))).toContain(404);
  });

  /**
   * Sends registrations that need the chain while its endpoint withholds answers, and retries each that times out. Expects an
   * ordinary registration to be answered before any of them, and resolves with their statuses once the endpoint answers.
   */
  async function expectOrdinaryNotDelayed(registrations: object[], description: string) {
    const honest = await registerOrdinary(description);
    const begun = await Promise.all(registrations.map((body) => beginPost(registrationUrl(), body)));
    gate.hold();
    let answered = 0;
    let isOver = false;
    const statuses = begun.map(async ({ finish }, index) => {
      let status = await finish();
      answered++;
      while (!isOver) {
        status = await (await beginPost(registrationUrl(), registrations[index])).finish();
        answered++;
      }
      return status;
    });
    await expect.poll(() => gate.held("eth_call")).toBeGreaterThan(0);
    // On a busy machine some of them may time out while the ordinary one is being handled.
    await until("an ordinary registration that waits for no other", async () => {
      const before = answered;
      const [status] = (await post(honest)).answer;
      expect([200, 201]).toContain(status);
      return answered === before;
    });
    isOver = true;
    gate.open();
    return await Promise.all(statuses);
  }

  test("bodies that never arrive don't delay registrations", { timeout: 120_000 }, async () => {
    const honest = await registerOrdinary("Complete");
    const begun = await Promise.all(Array.from({ length: 30 }, () => beginPost(registrationUrl(), honest)));
    expect((await post(honest)).answer).toEqual([201, "Complete"]);
    for (const { abandon } of begun) abandon();
  });
}
