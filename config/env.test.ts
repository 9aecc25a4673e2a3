import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EnvironmentError, readEnvironment } from "./env.ts";

const bsc = {
  PONDER_RPC_URL_56: "https://rpc.example",
  TOKEN_FACTORY_ADDRESS_56: "0xAbCdEf0123456789abcdef0123456789ABCDEF01",
  LAUNCHPAD_ADDRESS_56: "0x00000000000000000000000000000000000000b0",
  START_BLOCK_56: "123",
};
const testnet: Record<string, string> = Object.fromEntries(
  Object.entries(bsc).map(([name, value]) => [name.replace("_56", "_97"), value]),
);

function problemsOf(variables: Record<string, string>): string[] {
  try {
    readEnvironment(variables);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
  throw new Error("expected an EnvironmentError");
}

test("an empty environment has every default and no chain", () => {
  expect(readEnvironment({})).toEqual({
    port: 42_069,
    host: undefined,
    metrics: undefined,
    databaseUrl: undefined,
    databaseReadUrl: undefined,
    databaseSqlUrl: undefined,
    clickHousePassword: undefined,
    databaseSchema: "onchain",
    isSchemaSet: false,
    dataDir: ".data",
    baseUrl: "http://localhost:42069",
    moderationFile: undefined,
    docsUrl: "http://localhost:42069/docs",
    maxFilteredTokens: 1_000_000,
    images: {
      provider: "local",
      pinata: undefined,
      kubo: undefined,
      s3: undefined,
      gatewayUrl: "http://localhost:42069/ipfs",
      budget: { bytes: 1_024 * 1_048_576, bytesPerUploader: 128 * 1_048_576 },
      resizedBytes: 256 * 1_048_576,
      minFreeDiskBytes: 1_024 * 1_048_576,
    },
    alerts: undefined,
    listCacheBytes: 64 * 1_024 * 1_024,
    streamRetentionHours: 168,
    minuteCandlesDays: undefined,
    isMcpOn: true,
    isSqlOn: undefined,
    isAccessLogOn: false,
    isExplorerOn: true,
    brand: {
      name: "Launchpad",
      logo: undefined,
      accent: undefined,
      links: [],
      termsUrl: undefined,
      privacyUrl: undefined,
    },
    readyMaxLagSeconds: 60,
    selfCheckSeconds: 60,
    trustedProxies: 0,
    connectionsPerAddress: 256,
    rateLimit: { isOn: undefined, isShared: false, reads: 600, writes: 30, uploads: 20 },
    localChainPort: 8_545,
    localMarket: true,
    chains: [],
  });
});

test("a chain is indexed if its RPC URL is set: either one alone, or both", () => {
  expect(readEnvironment(bsc).chains.map(({ id }) => id)).toEqual([56]);
  expect(readEnvironment(testnet).chains.map(({ id }) => id)).toEqual([97]);
  expect(readEnvironment({ ...bsc, ...testnet }).chains.map(({ id }) => id)).toEqual([56, 97]);
});

test("addresses become lower-case, RPC URLs a list without repeats", () => {
  const [chain] = readEnvironment({ ...bsc, PONDER_RPC_URL_56: " http://a , http://b,http://a," }).chains;
  expect(chain).toEqual({
    id: 56,
    rpcUrls: ["http://a", "http://b"],
    webSocketUrls: [],
    sync: "built-in",
    pollingInterval: 1_000,
    tokenFactory: "0xabcdef0123456789abcdef0123456789abcdef01",
    launchpad: "0x00000000000000000000000000000000000000b0",
    priceFeeds: [],
    startBlock: 123,
  });
});

test("a price feed is one address or several, lower-case and without repeats", () => {
  const feedsOf = (value: string) =>
    readEnvironment({ ...bsc, BNB_USD_FEED_ADDRESS_56: value }).chains[0]?.priceFeeds;
  const [one, other] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`];
  expect(feedsOf("")).toEqual([]);
  expect(feedsOf(one)).toEqual([one]);
  expect(feedsOf(` 0x${"A1".repeat(20)} , ${other},${one},`)).toEqual([one, other]);
});

test("history may have its own source, but still needs an endpoint", () => {
  const sourceOf = (value: string) =>
    readEnvironment({ ...bsc, HISTORY_SOURCE_56: value }).chains[0]?.historySource;
  expect(sourceOf("")).toBeUndefined();
  expect(sourceOf("https://portal.example/datasets/bsc/")).toBe("https://portal.example/datasets/bsc");
  expect(problemsOf({ HISTORY_SOURCE_97: "https://portal.example/datasets/bsc-testnet" })).toEqual([
    "PONDER_RPC_URL_97 is missing: set the RPC endpoint of the chain, or take out HISTORY_SOURCE_97",
  ]);
});

test("an empty variable counts as unset", () => {
  expect(readEnvironment({ PORT: "", DATABASE_URL: "", PONDER_RPC_URL_97: "" })).toEqual(readEnvironment({}));
});

test("white space around a value doesn't count", () => {
  const settings = {
    PORT: "8080",
    DATA_DIR: "/data",
    DATABASE_URL: "postgres://launchpad:secret@db:5432/launchpad",
    BASE_URL: "https://launchpad.example/",
    MODERATION_FILE: "/etc/launchpad/deny.txt",
    ...bsc,
  };
  const spaced = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, ` ${value} \r\n`]),
  );
  expect(readEnvironment({ ...spaced, PONDER_RPC_URL_97: " " })).toEqual(readEnvironment(settings));
});

test("metrics have their own port, on loopback unless another address is given", () => {
  expect(readEnvironment({ METRICS_PORT: "9464" }).metrics).toEqual({ host: "127.0.0.1", port: 9_464 });
  expect(readEnvironment({ METRICS_PORT: "9464", METRICS_HOST: "0.0.0.0" }).metrics?.host).toBe("0.0.0.0");
  expect(readEnvironment({ METRICS_PORT: "9464", METRICS_HOST: "::" }).metrics?.host).toBeUndefined();
  expect(problemsOf({ METRICS_PORT: "42069" })).toEqual([
    "METRICS_PORT is wrong: it must differ from PORT, which is open to everyone",
  ]);
});

test("connections are limited if requests are, and if they come directly from clients", () => {
  const limitOf = (variables: Record<string, string>) => readEnvironment(variables).connectionsPerAddress;
  expect(limitOf({ MAX_CONNECTIONS_PER_ADDRESS: "10" })).toBe(10);
  expect(limitOf({ RATE_LIMIT: "off" })).toBeUndefined();
  expect(limitOf({ TRUST_PROXY: "1" })).toBeUndefined();
});

test("everything that a chain lacks is named at once, with what to do", () => {
  expect(problemsOf({ PONDER_RPC_URL_97: "http://a" })).toEqual([
    "TOKEN_FACTORY_ADDRESS_97 is missing: set the address of the deployed TokenFactory",
    "LAUNCHPAD_ADDRESS_97 is missing: set the address of the deployed Launchpad",
    "START_BLOCK_97 is missing: set the number of the block in which the TokenFactory was deployed",
  ]);
});

test("an address without an endpoint is reported as a forgotten endpoint", () => {
  const { PONDER_RPC_URL_56: _, ...forgotten } = bsc;
  expect(problemsOf(forgotten)).toEqual([
    "PONDER_RPC_URL_56 is missing: set the RPC endpoint of the chain, or take out TOKEN_FACTORY_ADDRESS_56",
  ]);
  expect(problemsOf({ BNB_USD_FEED_ADDRESS_97: bsc.LAUNCHPAD_ADDRESS_56 })).toEqual([
    "PONDER_RPC_URL_97 is missing: set the RPC endpoint of the chain, or take out BNB_USD_FEED_ADDRESS_97",
  ]);
});

test.each([
  ["PORT", "0"],
  ["PORT", "65536"],
  ["PORT", "80.5"],
  ["PORT", "http"],
  ["HOST", "everywhere"],
  ["METRICS_PORT", "0"],
  ["METRICS_HOST", "256.0.0.1"],
  ["MAX_CONNECTIONS_PER_ADDRESS", "0"],
  ["DATABASE_URL", "mysql://secret@host/db"],
  ["DATABASE_URL", "localhost"],
  ["DATABASE_URL", "postgres://launchpad:100%secret@db/launchpad"],
  ["DATABASE_URL", "postgres://launchpad:1#secret@db/launchpad"],
  ["DATABASE_URL", "postgres://launchpad:/secret@db:5432/launchpad"],
  ["DATABASE_URL", "postgres://launchpad:?secret@db/launchpad"],
  ["DATABASE_URL", "postgres://launchpad:secret/2@db/launchpad"],
  ["DATABASE_SCHEMA", "offchain"],
  ["DATABASE_SCHEMA", "Bad-Name"],
  ["DATA_DIR", "~/secret"],
  ["BASE_URL", "api.example"],
  ["DOCS_URL", "ftp://docs.example"],
  ["SECURITY_CONTACT", "security@launchpad.example"],
  ["SECURITY_CONTACT", "https://launchpad.example/\nContact: mailto:other@evil.example"],
  ["LOCAL_MARKET", "yes"],
  ["MCP", "maybe"],
  ["BRAND_NAME", "x".repeat(31)],
  ["BRAND_NAME", "\u202esecret"],
  ["BRAND_NAME", "—"],
  ["BRAND_NAME", "\u3164"],
  ["BRAND_LOGO", "no-such-secret.svg"],
  ["BRAND_LOGO", "package.json"],
  ["BRAND_ACCENT", "gold"],
  ["BRAND_ACCENT", "#fff"],
  ["BRAND_LINKS", "https://x.com/secret"],
  ["BRAND_LINKS", "X=javascript:secret"],
  ["BRAND_LINKS", "X=http://secret.example"],
  ["BRAND_LINKS", "=https://secret.example"],
  ["BRAND_LINKS", "X, formerly secret=https://x.com/otters"],
  ["BRAND_LINKS", "Map=https://map.example/@1,secret"],
  ["TERMS_URL", "terms.html"],
  ["TERMS_URL", "mailto:secret@otters.example"],
  ["PRIVACY_URL", "javascript:secret()"],
  ["IMAGES_FROM_URLS", "yes"],
  ["IMAGES_FROM_URLS_PRIVATE_NETWORKS", "10.0.0.0"],
  ["IMAGES_FROM_URLS_PROXY", "https://secret.example"],
  ["READY_MAX_LAG_SECONDS", "-1"],
  ["READY_MAX_LAG_SECONDS", "1.5"],
  ["SELF_CHECK_SECONDS", "off"],
  ["LOCAL_CHAIN_PORT", "-1"],
  ["MAX_FILTERED_TOKENS", "many"],
  ["PONDER_RPC_URL_56", "rpc.example"],
  ["PONDER_RPC_URL_56", "wss://rpc.example"],
  ["PONDER_RPC_URL_56", ","],
  ["PONDER_RPC_URL_56", "https://rpc.example/secret https://other.example/secret"],
  ["PONDER_RPC_URL_56", "https://rpc.example\nhttps://other.example"],
  ["PONDER_RPC_URL_56", "https://user:100%secret@rpc.example"],
  ["PONDER_RPC_URL_56", "https://rpc.example/v2/ab#secret"],
  ["PONDER_RPC_URL_56", "https://rpc.example,wss://rpc.example/#secret"],
  ["HISTORY_SOURCE_56", "portal.example/secret"],
  ["HISTORY_SOURCE_56", "ftp://portal.example/secret"],
  ["HISTORY_SOURCE_56", "https://user:secret@portal.example/datasets/binance-mainnet"],
  ["HISTORY_SOURCE_56", "https://secret@portal.example"],
  ["SYNC_56", "fast"],
  ["POLLING_INTERVAL_56", "10"],
  ["TOKEN_FACTORY_ADDRESS_56", "0x12"],
  ["LAUNCHPAD_ADDRESS_56", "secret"],
  ["START_BLOCK_56", "latest"],
  ["BNB_USD_FEED_ADDRESS_56", "0x12"],
  ["BNB_USD_FEED_ADDRESS_56", ","],
  ["BNB_USD_FEED_ADDRESS_56", `0x${"a1".repeat(20)};0x${"b2".repeat(20)}`],
  ["BNB_USD_FEED_ADDRESS_56", `0x${"a1".repeat(20)},secret`],
])("a wrong %s (%s) is named with what it takes, and its value is not repeated", (name, value) => {
  const [problem, ...others] = problemsOf({ ...bsc, [name]: value });
  expect(others).toEqual([]);
  expect(problem).toMatch(new RegExp(`^${name} is wrong: it must `));
  expect(problem).not.toContain("secret");
});

test("a comma within a link's label or URL is written with a backslash", () => {
  const links = readEnvironment({
    BRAND_LINKS: String.raw`Home\, sweet home=https://otters.example/,Map=https://map.example/@1\,2`,
  }).brand.links;
  expect(links).toEqual([
    { label: "Home, sweet home", url: "https://otters.example/" },
    { label: "Map", url: "https://map.example/@1,2" },
  ]);
});

test("a database's password may have any characters, and its URL an @ elsewhere", () => {
  for (const DATABASE_URL of [
    "postgres://launchpad:%23%2F%3F%25%40@db/launchpad",
    "postgres://launchpad:a@b:c@db/launchpad",
    "postgres:///launchpad?host=/run/postgresql&user=launchpad@server&password=%23",
    "postgres://launchpad@db/launchpad%40home",
  ])
    expect(readEnvironment({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
});

test("reads may connect as another role, to the database that is configured", () => {
  const DATABASE_READ_URL = "postgres://reader:secret@localhost/launchpad";
  const DATABASE_URL = "postgres://owner:secret@localhost/launchpad";
  expect(readEnvironment({ DATABASE_URL, DATABASE_READ_URL }).databaseReadUrl).toBe(DATABASE_READ_URL);
  expect(readEnvironment({ DATABASE_URL, DATABASE_READ_URL: "" }).databaseReadUrl).toBeUndefined();
  expect(problemsOf({ DATABASE_READ_URL })).toEqual([
    "DATABASE_URL is missing: set the database that DATABASE_READ_URL reads, or take out DATABASE_READ_URL",
  ]);
  expect(problemsOf({ DATABASE_URL, DATABASE_READ_URL: "http://secret" })).toEqual([
    "DATABASE_READ_URL is wrong: it must be a Postgres URL, postgres://user:password@host:5432/database, with %23, %2F and %3F in place of a #, / and ? in its password",
  ]);
});

const namesIn = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name as string);
const general = ["env", "images", "alerts", "brand"].flatMap((name) => namesIn(`config/${name}.ts`));
const perChain = namesIn("config/chain-settings.ts");

test(".env.example lists every variable with its default", () => {
  const example: Record<string, string> = Object.fromEntries(
    [...readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
      ([, name, value]) => [name, value],
    ),
  );
  expect(Object.keys(example).sort()).toEqual(
    [...general, ...perChain.flatMap((name) => [`${name}_56`, `${name}_97`])].sort(),
  );
  const defaults = Object.fromEntries(Object.entries(example).filter(([name]) => !/_(56|97)$/.test(name)));
  expect(readEnvironment(defaults)).toEqual(readEnvironment({}));
});

test("docs/configuration.md has every variable in a table", () => {
  const rows = readFileSync("docs/configuration.md", "utf8").match(/^\| `.*$/gm) ?? [];
  const documented = rows.flatMap((row) => row.split(" | ")[0]?.match(/[A-Z][A-Z0-9_]+/g) ?? []);
  expect(documented).toEqual(expect.arrayContaining([...general, ...perChain.map((name) => `${name}_56`)]));
});
