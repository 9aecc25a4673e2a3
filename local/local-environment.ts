import path from "node:path";
import { type Environment, readEnvironment } from "../config/env.ts";
import { childEnvironment, localRpcVariable } from "../config/process-environment.ts";
import type { LaunchpadDeployment } from "../contracts/deploy.ts";
import { isLoopback } from "../runtime/checks/host.ts";
import { findDeployment } from "./chain-files.ts";

/** The schema of the local stack's on-chain tables. */
export const localSchema = "onchain_dev";

/** Separate from the data of `npm start`: a simulated market must never end up among real registrations. */
export const localDataDir = (dataDir: string) => path.resolve(dataDir, "local");

export const localChainUrl = (port: number) => `http://127.0.0.1:${port}`;

/**
 * Alerts are on unless ALERTS says otherwise, also to receivers on this machine. Not if other machines reach the API, since they could
 * have requests sent to this one's other servers. (A page in the developer's browser could send those itself.) The key may be known:
 * the stack's data is worthless.
 */
export function localAlerts(host: string) {
  const { ALERTS: chosen = "" } = childEnvironment({});
  if (chosen.trim() !== "" || !isLoopback(host)) return {};
  return { ALERTS: "on", ALERTS_KEY: "10ca1".padEnd(64, "0"), ALERTS_PRIVATE_NETWORKS: "127.0.0.0/8" };
}

export type LocalEnvironmentOptions = {
  port: number;
  databaseUrl: string;
  databaseReadUrl?: string;
  databaseSqlUrl?: string;
  /** Default: true. */
  isSqlOn?: boolean;
  rpcUrl: string;
  deployment: LaunchpadDeployment;
  /** The aggregators of the price feed; none by default. */
  priceFeeds?: string[];
  schema: string;
  /** Where images are kept. */
  dataDir: string;
  /** Whether requests are rate limited. The simulated market makes many. */
  rateLimit: boolean;
};

/**
 * The indexer's environment for the local stack. It has the local chain only, whatever chains this process's environment configures.
 */
export function localEnvironment(options: LocalEnvironmentOptions) {
  const {
    port,
    databaseUrl,
    databaseReadUrl,
    databaseSqlUrl,
    isSqlOn = true,
    rpcUrl,
    deployment,
    priceFeeds = [],
    schema,
    dataDir,
    rateLimit,
  } = options;
  return childEnvironment({
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATABASE_READ_URL: databaseReadUrl ?? "",
    DATABASE_SQL_URL: databaseSqlUrl ?? "",
    SQL: isSqlOn ? "on" : "off",
    DATABASE_SCHEMA: schema,
    DATA_DIR: dataDir,
    RATE_LIMIT: rateLimit ? "on" : "off",
    // Ponder prefers this one to DATABASE_URL. Empty instead of unset, because Ponder reads unset variables from .env.local.
    DATABASE_PRIVATE_URL: "",
    [localRpcVariable]: rpcUrl,
    PONDER_RPC_URL_56: rpcUrl,
    POLLING_INTERVAL_56: "250",
    HISTORY_SOURCE_56: "",
    DEPLOYMENT_56: "",
    TOKEN_FACTORY_ADDRESS_56: deployment.tokenFactory,
    LAUNCHPAD_ADDRESS_56: deployment.launchpad,
    START_BLOCK_56: String(deployment.startBlock),
    BNB_USD_FEED_ADDRESS_56: priceFeeds.join(","),
    PONDER_RPC_URL_97: "",
    HISTORY_SOURCE_97: "",
    DEPLOYMENT_97: "",
    TOKEN_FACTORY_ADDRESS_97: "",
    LAUNCHPAD_ADDRESS_97: "",
    BNB_USD_FEED_ADDRESS_97: "",
    // Pictures of a simulated market are nothing for a real provider. It would also be asked to remove them, and with them real ones that
    // have the same bytes.
    IMAGE_PROVIDER: "local",
    PINATA_JWT: "",
    KUBO_RPC_URL: "",
    IMAGES_S3_ENDPOINT: "",
    IMAGES_S3_BUCKET: "",
    IMAGES_S3_ACCESS_KEY_ID: "",
    IMAGES_S3_SECRET_ACCESS_KEY: "",
    IPFS_GATEWAY_URL: "",
  });
}

/**
 * Returns the settings with which a command reads the local stack of DATA_DIR: its chain, its database and its schema. Undefined if
 * `npm run dev` hasn't made a chain there.
 */
export async function findLocalStack(settings: Environment): Promise<Environment | undefined> {
  const { port, databaseUrl = "", localChainPort } = settings;
  const dataDir = localDataDir(settings.dataDir);
  const deployment = await findDeployment(dataDir);
  if (deployment === undefined) return undefined;
  const rpcUrl = localChainUrl(localChainPort);
  const local = { port, databaseUrl, rpcUrl, deployment, schema: localSchema, dataDir, rateLimit: false };
  return readEnvironment(localEnvironment(local));
}
