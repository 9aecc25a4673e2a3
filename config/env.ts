import { z } from "zod";
import { type AlertSettings, readAlertSettings } from "./alerts.ts";
import { type BrandSettings, readBrandSettings } from "./brand.ts";
import { type ChainSettings, readChain } from "./chain-settings.ts";
import { chainIds } from "./chains.ts";
import { schemaNameProblem } from "./database.ts";
import { type ImageSettings, readImageSettings } from "./images.ts";
import { defaultLog, logFormats, logLevels } from "./log.ts";
import {
  contactUrl,
  host,
  httpUrl,
  integer,
  onOrOff,
  port,
  postgresUrl,
  type RateLimitSettings,
  readVariables,
  type Variables,
} from "./values.ts";

export type { ChainSettings } from "./chain-settings.ts";

/**
 * The settings, read from the environment and checked once. Besides this file, only process-environment.ts reads `process.env`.
 * Chain settings end in the chain id: `PONDER_RPC_URL_56`, `START_BLOCK_97`.
 */

export type Environment = {
  port: number;
  /** The address to listen on. Undefined if not set: then all addresses, but only loopback on the local stack. */
  host: string | undefined;
  /** Where the metrics are served: on all addresses if `host` is undefined. Undefined if they are not. */
  metrics: { host: string | undefined; port: number } | undefined;
  /** Undefined: the embedded Postgres. */
  databaseUrl: string | undefined;
  /** Read-only queries connect here. Undefined: they use `databaseUrl`. */
  databaseReadUrl: string | undefined;
  /** SQL over HTTP connects here, with a role of its own. Undefined: with the one that the service created, if any. */
  databaseSqlUrl: string | undefined;
  /** With which `npm run sink` connects, if the address that it is given has no password. */
  clickHousePassword: string | undefined;
  /** The Postgres schema of the on-chain tables. */
  databaseSchema: string;
  /** Whether `databaseSchema` was set explicitly; otherwise `npm start` and `npm run serve` use the live schema. */
  isSchemaSet: boolean;
  dataDir: string;
  /** Where clients reach the service and its documentation, as the manifest reports them. */
  baseUrl: string;
  docsUrl: string;
  /** Where to report vulnerabilities of this deployment, for /.well-known/security.txt. */
  securityContact: string | undefined;
  /** Above this number of tokens, historical sync asks for the logs of every contract on the chain. */
  maxFilteredTokens: number;
  /** Proxies in front of the service whose X-Forwarded-For is trusted. */
  trustedProxies: number;
  /** Connections that one address may have open. Undefined: unlimited, since the address may be a proxy's. */
  connectionsPerAddress: number | undefined;
  rateLimit: RateLimitSettings;
  images: ImageSettings;
  /** Undefined if alerts are off. */
  alerts: AlertSettings | undefined;
  /** The operator's deny list of names, links and images. */
  moderationFile: string | undefined;
  /** Bytes of list responses to cache while they are current. */
  listCacheBytes: number;
  /** Hours for which a disconnected client of the stream can resume. */
  streamRetentionHours: number;
  /** For how many days one-minute candles are kept. Undefined: for ever. */
  minuteCandlesDays: number | undefined;
  /** Whether /mcp is served. */
  isMcpOn: boolean;
  /** Whether /sql is served. Undefined: with npm run dev, and where DATABASE_READ_URL leads to a replica. */
  isSqlOn: boolean | undefined;
  /** Whether the explorer's pages are served. */
  isExplorerOn: boolean;
  brand: BrandSettings;
  /** Seconds that the index may be behind a chain's head before /ready fails. 0: any number. */
  readyMaxLagSeconds: number;
  /** Seconds between two comparisons of a few rows with the chain. 0: there are none. */
  selfCheckSeconds: number;
  /** Whether each request is logged. */
  isAccessLogOn: boolean;
  localChainPort: number;
  localMarket: boolean;
  chains: ChainSettings[];
};

/** Its message has one line for each invalid or missing variable, which names it and says what it accepts. */
export class EnvironmentError extends Error {
  override name = "EnvironmentError";
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** The schema of a deployment that has no live one yet. */
const defaultSchema = "onchain";

export const generalVariables = z.object({
  LOG_LEVEL: z.enum(logLevels, { error: `must be ${logLevels.join(", ")}` }).default(defaultLog.level),
  LOG_FORMAT: z.enum(logFormats, { error: "must be json or pretty" }).default(defaultLog.format),
  ACCESS_LOG: onOrOff.default(false),
  PORT: port.default(42_069),
  HOST: host.optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: host.default("127.0.0.1"),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_READ_URL: postgresUrl.optional(),
  DATABASE_SQL_URL: postgresUrl.optional(),
  // By the name that ClickHouse's own client knows.
  CLICKHOUSE_PASSWORD: z.string().optional(),
  DATABASE_SCHEMA: z
    .string()
    .refine((name) => schemaNameProblem(name) === undefined, {
      error: ({ input }) => schemaNameProblem(String(input)),
    })
    .optional(),
  DATA_DIR: z
    .string()
    // It would become a folder of this name, beside each version of the program.
    .refine((folder) => !folder.startsWith("~"), {
      message: "must be a path without ~, which only a shell replaces by the home folder",
    })
    .default(".data"),
  BASE_URL: httpUrl.optional(),
  DOCS_URL: httpUrl.optional(),
  SECURITY_CONTACT: contactUrl.optional(),
  MAX_FILTERED_TOKENS: integer(1, 1_000_000_000).default(1_000_000),
  MODERATION_FILE: z.string().optional(),
  LIST_CACHE_MB: integer(0, 10_000).default(64),
  STREAM_RETENTION_HOURS: integer(1, 8_760).default(168),
  MINUTE_CANDLES_DAYS: integer(2, 36_500).optional(),
  MCP: onOrOff.default(true),
  SQL: onOrOff.optional(),
  EXPLORER: onOrOff.default(true),
  READY_MAX_LAG_SECONDS: integer(0, 86_400).default(60),
  SELF_CHECK_SECONDS: integer(0, 86_400).default(60),
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

/**
 * Reads and checks the environment. An empty variable counts as unset, and white space around a value doesn't count.
 * Throws {@link EnvironmentError} when anything is wrong or missing.
 */
export function readEnvironment(environment: Variables = process.env): Environment {
  // Docker's env files and secrets made with `echo` have some, which would be a part of a password or of a folder's name.
  const variables = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value?.trim()]),
  );
  const problems: string[] = [];
  const values = readVariables(generalVariables, variables, "", problems);
  if (values?.DATABASE_READ_URL !== undefined && values.DATABASE_URL === undefined) {
    problems.push(
      "DATABASE_URL is missing: set the database that DATABASE_READ_URL reads, or take out DATABASE_READ_URL",
    );
  }
  if (values?.DATABASE_SQL_URL !== undefined && values.DATABASE_URL === undefined) {
    problems.push(
      "DATABASE_URL is missing: set the database that DATABASE_SQL_URL reads, or take out DATABASE_SQL_URL",
    );
  }
  const chains = chainIds.flatMap((id) => readChain(id, variables, problems));
  const baseUrl = values?.BASE_URL ?? `http://localhost:${values?.PORT}`;
  if (values?.METRICS_PORT === values?.PORT && values !== undefined) {
    problems.push("METRICS_PORT is wrong: it must differ from PORT, which is open to everyone");
  }
  const images = readImageSettings(variables, baseUrl, problems);
  const alerts = readAlertSettings(variables, problems);
  const brand = readBrandSettings(variables, problems);
  if (values === undefined || images === undefined || brand === undefined || problems.length > 0) {
    throw new EnvironmentError(problems);
  }

  return {
    port: values.PORT,
    host: values.HOST,
    metrics:
      values.METRICS_PORT === undefined
        ? undefined
        : // Without an address, Node listens on `::`, and where the machine has no IPv6, on 0.0.0.0.
          {
            host: values.METRICS_HOST === "::" ? undefined : values.METRICS_HOST,
            port: values.METRICS_PORT,
          },
    databaseUrl: values.DATABASE_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    databaseSqlUrl: values.DATABASE_SQL_URL,
    clickHousePassword: values.CLICKHOUSE_PASSWORD,
    databaseSchema: values.DATABASE_SCHEMA ?? defaultSchema,
    isSchemaSet: values.DATABASE_SCHEMA !== undefined,
    dataDir: values.DATA_DIR,
    baseUrl,
    docsUrl: values.DOCS_URL ?? `${baseUrl}/docs`,
    securityContact: values.SECURITY_CONTACT,
    maxFilteredTokens: values.MAX_FILTERED_TOKENS,
    images,
    alerts,
    moderationFile: values.MODERATION_FILE,
    listCacheBytes: values.LIST_CACHE_MB * 1_024 * 1_024,
    streamRetentionHours: values.STREAM_RETENTION_HOURS,
    minuteCandlesDays: values.MINUTE_CANDLES_DAYS,
    isMcpOn: values.MCP,
    isSqlOn: values.SQL,
    isExplorerOn: values.EXPLORER,
    brand,
    readyMaxLagSeconds: values.READY_MAX_LAG_SECONDS,
    selfCheckSeconds: values.SELF_CHECK_SECONDS,
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
    isAccessLogOn: values.ACCESS_LOG,
    localChainPort: values.LOCAL_CHAIN_PORT,
    localMarket: values.LOCAL_MARKET,
    chains,
  };
}
