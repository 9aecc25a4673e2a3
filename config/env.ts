import { isIP } from "node:net";
import { z } from "zod";
import { type ImageSettings, readImageSettings } from "./images.ts";
import { integer } from "./integer.ts";

/**
 * The environment, read and checked once. Nothing else in the project reads `process.env`.
 * Chain settings end in the chain id: `PONDER_RPC_URL_56`, `START_BLOCK_97`.
 */

export const chainIds = [56, 97] as const;
export type ChainId = (typeof chainIds)[number];
type Address = `0x${string}`;

/** What is indexed on one chain. A chain is indexed when its RPC URL is set. */
export type ChainSettings = {
  id: ChainId;
  /** At least one endpoint; the others are used when one fails. */
  rpcUrls: string[];
  /** Request lanes for each RPC URL: Ponder limits every lane to 500 requests a second, from 20 at the start. */
  rpcLanes: number;
  /** Whether Ponder keeps RPC answers in Postgres. Off for a chain that is thrown away. */
  rpcCache: boolean;
  /** Milliseconds between polls for a new block. */
  pollingInterval: number;
  tokenFactory: Address;
  launchpad: Address;
  /**
   * The BNB/USD feed. Empty: nothing is served in USD. The user usually configures a proxy's address; Ponder gets the
   * aggregators behind it, which emit the answers.
   */
  priceFeeds: Address[];
  /** The block in which the TokenFactory was deployed. */
  startBlock: number;
};

/** Requests of each kind that a client may make per minute. */
type RateLimitSettings = {
  /** Undefined if not set: then on, but off on the local stack. */
  isOn: boolean | undefined;
  /** Whether replicas count together, in Postgres. */
  isShared: boolean;
  reads: number;
  writes: number;
  uploads: number;
};

export type Environment = {
  port: number;
  /** The address to listen on. Undefined if not set: then all addresses, but only loopback on the local stack. */
  host: string | undefined;
  /** Where the metrics are served. Undefined: nowhere. */
  metrics: { host: string; port: number } | undefined;
  /** Undefined: the embedded Postgres. */
  databaseUrl: string | undefined;
  /** Read-only queries connect here. Undefined: to the database above. */
  databaseReadUrl: string | undefined;
  /** The Postgres schema of the on-chain tables. */
  databaseSchema: string;
  dataDir: string;
  /** Where clients reach the service and its documentation, as the manifest reports them. */
  baseUrl: string;
  docsUrl: string;
  /** Above this number of tokens historical sync asks for the logs of every contract on the chain. */
  maxFilteredTokens: number;
  /** Proxies in front of the service whose X-Forwarded-For is trusted. */
  trustedProxies: number;
  /** Connections that one address may have open. Undefined: unlimited, since all of them may be a proxy's. */
  connectionsPerAddress: number | undefined;
  rateLimit: RateLimitSettings;
  images: ImageSettings;
  /** Bytes of list responses to cache while they are current. */
  listCacheBytes: number;
  /** Hours for which a disconnected client of the stream can resume. */
  streamRetentionHours: number;
  localChainPort: number;
  localMarket: boolean;
  chains: ChainSettings[];
};

/** Has one line for each wrong or missing variable, which names it and says what it takes. */
export class EnvironmentError extends Error {
  override name = "EnvironmentError";
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

const onOrOff = z.enum(["on", "off"], { error: "must be on or off" }).transform((value) => value === "on");

const port = integer(1, 65_535);

const host = z.string().refine((value) => value === "localhost" || isIP(value) !== 0, {
  message: "must be an IP address of this machine, such as 127.0.0.1 or ::",
});

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "must be an address: 0x and 40 hexadecimal digits")
  .transform((value) => value.toLowerCase() as Address);

const addresses = z
  .string()
  .transform(listed)
  .refine((parts) => parts.length > 0 && parts.every((part) => address.safeParse(part).success), {
    message: "must be one or more addresses, separated by commas: 0x and 40 hexadecimal digits each",
  })
  .transform((parts) => [...new Set(parts.map((part) => part.toLowerCase() as Address))]);

const isUrl = (value: string, protocols: string[]) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol);

const httpUrl = z
  .string()
  .refine((value) => isUrl(value, ["http:", "https:"]), { message: "must be an http(s) URL" })
  .transform((value) => value.replace(/\/+$/, ""));

const rpcUrls = z
  .string()
  .transform((value) => [...new Set(listed(value))])
  .refine((urls) => urls.length > 0 && urls.every((url) => isUrl(url, ["http:", "https:"])), {
    message: "must be one or more http(s) URLs, separated by commas",
  });

const postgresUrl = z.string().refine((value) => isUrl(value, ["postgres:", "postgresql:"]), {
  message: "must be a Postgres URL: postgres://user:password@host:5432/database",
});

const general = z.object({
  PORT: port.default(42_069),
  HOST: host.optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: host.default("127.0.0.1"),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_READ_URL: postgresUrl.optional(),
  DATABASE_SCHEMA: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,44}$/, "must be at most 45 lower-case letters, digits or underscores")
    .refine((value) => !["offchain", "ponder_sync"].includes(value) && !value.startsWith("pg_"), {
      message: "must not be offchain, ponder_sync or start with pg_, which have other uses",
    })
    .default("onchain"),
  DATA_DIR: z.string().default(".data"),
  BASE_URL: httpUrl.optional(),
  DOCS_URL: httpUrl.optional(),
  MAX_FILTERED_TOKENS: integer(1, 1_000_000_000).default(1_000_000),
  LIST_CACHE_MB: integer(0, 10_000).default(64),
  STREAM_RETENTION_HOURS: integer(1, 8_760).default(168),
  TRUST_PROXY: integer(0, 10).default(0),
  RATE_LIMIT: onOrOff.optional(),
  RATE_LIMIT_STORE: z.enum(["memory", "postgres"], { error: "must be memory or postgres" }).default("memory"),
  RATE_LIMIT_READS: integer(1, 1_000_000).default(600),
  RATE_LIMIT_WRITES: integer(1, 1_000_000).default(30),
  RATE_LIMIT_UPLOADS: integer(1, 1_000_000).default(20),
  MAX_CONNECTIONS_PER_ADDRESS: integer(1, 1_000_000).default(256),
  LOCAL_CHAIN_PORT: port.default(8_545),
  LOCAL_MARKET: onOrOff.default(true),
});

const chainVariables = z.object({
  PONDER_RPC_URL: rpcUrls,
  RPC_LANES: integer(1, 100).default(1),
  RPC_CACHE: onOrOff.default(true),
  POLLING_INTERVAL: integer(100, 60_000).default(1_000),
  TOKEN_FACTORY_ADDRESS: address,
  LAUNCHPAD_ADDRESS: address,
  BNB_USD_FEED_ADDRESS: addresses.default([]),
  START_BLOCK: integer(0, 2_000_000_000),
});

type Variables = Record<string, string | undefined>;

/**
 * Reads and checks the environment. An empty variable counts as unset.
 * Throws {@link EnvironmentError} when anything is wrong or missing.
 */
export function readEnvironment(variables: Variables = process.env): Environment {
  const problems: string[] = [];
  const values = parse(general, variables, "", problems);
  if (values?.DATABASE_READ_URL !== undefined && values.DATABASE_URL === undefined) {
    problems.push(
      "DATABASE_URL is missing: set the database that DATABASE_READ_URL reads, or take out DATABASE_READ_URL",
    );
  }
  const chains = chainIds.flatMap((id) => readChain(id, variables, problems));
  const baseUrl = values?.BASE_URL ?? `http://localhost:${values?.PORT}`;
  if (values?.METRICS_PORT === values?.PORT && values !== undefined) {
    problems.push("METRICS_PORT is wrong: it must differ from PORT, which is open to everyone");
  }
  const images = readImageSettings(variables, baseUrl, problems);
  if (values === undefined || images === undefined || problems.length > 0) {
    throw new EnvironmentError(problems);
  }

  return {
    port: values.PORT,
    host: values.HOST,
    metrics:
      values.METRICS_PORT === undefined
        ? undefined
        : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    databaseUrl: values.DATABASE_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    databaseSchema: values.DATABASE_SCHEMA,
    dataDir: values.DATA_DIR,
    baseUrl,
    docsUrl: values.DOCS_URL ?? `${baseUrl}/docs`,
    maxFilteredTokens: values.MAX_FILTERED_TOKENS,
    images,
    listCacheBytes: values.LIST_CACHE_MB * 1_024 * 1_024,
    streamRetentionHours: values.STREAM_RETENTION_HOURS,
    trustedProxies: values.TRUST_PROXY,
    connectionsPerAddress:
      values.RATE_LIMIT === false || values.TRUST_PROXY > 0 ? undefined : values.MAX_CONNECTIONS_PER_ADDRESS,
    rateLimit: {
      isOn: values.RATE_LIMIT,
      isShared: values.RATE_LIMIT_STORE === "postgres",
      reads: values.RATE_LIMIT_READS,
      writes: values.RATE_LIMIT_WRITES,
      uploads: values.RATE_LIMIT_UPLOADS,
    },
    localChainPort: values.LOCAL_CHAIN_PORT,
    localMarket: values.LOCAL_MARKET,
    chains,
  };
}

function readChain(id: ChainId, variables: Variables, problems: string[]): ChainSettings[] {
  if (!variables[`PONDER_RPC_URL_${id}`]) {
    for (const variable of ["TOKEN_FACTORY_ADDRESS", "LAUNCHPAD_ADDRESS", "BNB_USD_FEED_ADDRESS"]) {
      const name = `${variable}_${id}`;
      if (!variables[name]) continue;
      problems.push(
        `PONDER_RPC_URL_${id} is missing: set the RPC endpoint of the chain, or take out ${name}`,
      );
      break;
    }
    return [];
  }
  const values = parse(chainVariables, variables, `_${id}`, problems);
  if (values === undefined) return [];
  return [
    {
      id,
      rpcUrls: values.PONDER_RPC_URL,
      rpcLanes: values.RPC_LANES,
      rpcCache: values.RPC_CACHE,
      pollingInterval: values.POLLING_INTERVAL,
      tokenFactory: values.TOKEN_FACTORY_ADDRESS,
      launchpad: values.LAUNCHPAD_ADDRESS,
      priceFeeds: values.BNB_USD_FEED_ADDRESS,
      startBlock: values.START_BLOCK,
    },
  ];
}

/** Splits at commas, without empty items. */
function listed(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

function parse<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  variables: Variables,
  suffix: string,
  problems: string[],
): z.infer<z.ZodObject<Shape>> | undefined {
  const input = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, variables[name + suffix] || undefined]),
  );
  const result = schema.safeParse(input);
  if (result.success) return result.data;

  for (const issue of result.error.issues) {
    const name = String(issue.path[0]);
    const isMissing = input[name] === undefined;
    // A value may hold a password or an API key, so it is never repeated.
    problems.push(
      isMissing
        ? `${name}${suffix} is missing: ${missingHint(name)}`
        : `${name}${suffix} is wrong: it ${issue.message}`,
    );
  }
  return undefined;
}

function missingHint(name: string): string {
  if (name === "START_BLOCK") return "set the number of the block in which the TokenFactory was deployed";
  if (name === "TOKEN_FACTORY_ADDRESS") return "set the address of the deployed TokenFactory";
  if (name === "LAUNCHPAD_ADDRESS") return "set the address of the deployed Launchpad";
  return "set it";
}

/** The environment of a child process of the service: ours, with some variables set and others (undefined) removed. */
export function childEnvironment(changes: Variables): Variables {
  return { ...process.env, ...changes };
}

/** The environment of a program that must not see ours, which holds secrets. */
export function bareEnvironment(variables: Variables): Variables {
  return { PATH: process.env.PATH, ...variables };
}
