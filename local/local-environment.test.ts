import { expect, onTestFinished, test, vi } from "vitest";
import { chainVariables } from "../config/chain-settings.ts";
import { chainIds } from "../config/chains.ts";
import { readEnvironment } from "../config/env.ts";
import { localAlerts, localEnvironment } from "./local-environment.ts";

const [tokenFactory, launchpad] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`] as const;

const readLocalSettings = () =>
  readEnvironment({
    ...localEnvironment({
      port: 1,
      databaseUrl: "postgres://localhost/local",
      schema: "onchain_dev",
      dataDir: ".data",
      rpcUrl: "http://127.0.0.1:8545",
      rateLimit: false,
      deployment: { tokenFactory, launchpad, startBlock: 1n } as never,
    }),
    // Vitest sets it.
    BASE_URL: "",
  });

test("the local stack reads its own chain only, whatever the environment configures", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of Object.keys(chainVariables.shape)) {
    for (const id of chainIds)
      vi.stubEnv(`${name}_${id}`, name === "SYNC" ? "" : "https://elsewhere.example");
  }
  expect(readLocalSettings().chains).toEqual([
    {
      id: 56,
      rpcUrls: ["http://127.0.0.1:8545"],
      webSocketUrls: [],
      historySource: undefined,
      sync: "built-in",
      pollingInterval: 250,
      tokenFactory,
      launchpad,
      priceFeeds: [],
      startBlock: 1,
    },
  ]);
});

test("the local stack keeps its images to itself, whatever the environment configures", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [name, value] of Object.entries({
    IMAGE_PROVIDER: "s3",
    PINATA_JWT: "key",
    KUBO_RPC_URL: "http://kubo.example",
    IMAGES_S3_ENDPOINT: "https://s3.example",
    IMAGES_S3_BUCKET: "bucket",
    IMAGES_S3_ACCESS_KEY_ID: "id",
    IMAGES_S3_SECRET_ACCESS_KEY: "key",
    IPFS_GATEWAY_URL: "https://gateway.example",
  }))
    vi.stubEnv(name, value);
  expect(readLocalSettings().images).toMatchObject({
    provider: "local",
    pinata: undefined,
    kubo: undefined,
    s3: undefined,
    gatewayUrl: "http://localhost:1/ipfs",
  });
});

test.each([
  ["", "127.0.0.1", true],
  [" ", "127.0.0.1", true],
  ["off", "127.0.0.1", false],
  ["", "0.0.0.0", false],
])("with ALERTS=%j and the host %s, alerts are on by default: %s", (chosen, host, areOn) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("ALERTS", chosen);
  expect(localAlerts(host).ALERTS).toBe(areOn ? "on" : undefined);
});
