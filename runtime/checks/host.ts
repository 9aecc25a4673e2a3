import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, open, rm, stat, statfs } from "node:fs/promises";
import { createServer, isIPv6 } from "node:net";
import path from "node:path";
import { within } from "../../config/async.ts";
import { readDenyList } from "../../config/deny-list.ts";
import type { Environment } from "../../config/env.ts";
import { codeOf } from "../../config/error-code.ts";
import type { Log } from "../log/log.ts";
import { fileError, StartError } from "../start-error.ts";

/** Throws a StartError if this machine can't do what the settings want. Logs what may go wrong later. */
export async function checkHost(
  { host, dataDir, moderationFile, trustedProxies }: Environment,
  log: Log,
): Promise<void> {
  await assertDataDir(dataDir);
  const images = path.join(dataDir, "images");
  if (existsSync(images)) {
    // A command that root ran may have created it.
    await assertDataDir(images).catch(({ message }) => log(`warning: no image can be uploaded: ${message}`));
  }
  assertDenyList(moderationFile);
  for (const warning of [listenWarning(host, trustedProxies), openFilesWarning()]) {
    if (warning !== undefined) log(warning, "warn");
  }
}

/**
 * Throws a StartError if `port` can't be listened on.
 *
 * @param what The name of the server in the error message, such as "API".
 * @param variable The environment variable that sets the port, such as "PORT".
 * @param host The address to listen on; undefined for all addresses.
 */
export async function assertPortFree(
  port: number,
  what: string,
  variable?: string,
  host?: string,
): Promise<void> {
  const otherwise = variable === undefined ? "choose a free one" : `set ${variable} to a free one`;
  // Try both: on some systems a listener on one address doesn't conflict with one on all addresses.
  const hosts = host === undefined ? ["127.0.0.1", undefined] : [host];
  for (const address of hosts) {
    try {
      await listenOnce(port, address);
    } catch (error) {
      const code = codeOf(error);
      if (code === "EADDRNOTAVAIL") {
        throw new StartError(`${host} (${what}) is not an address of this machine`, {
          cause: error,
        });
      }
      const problem =
        code === "EADDRINUSE"
          ? `is taken by another process: ${otherwise} or stop it`
          : code === "EACCES"
            ? `needs privileges that this user lacks: ${otherwise}, above 1023`
            : `cannot be listened on (${code || String(error)}): ${otherwise}`;
      throw new StartError(`port ${port} (${what}) ${problem}`, { code: "port-taken", cause: error });
    }
  }
}

/** Whether a server could listen on `port` of the loopback address now. */
export async function portIsFree(port: number): Promise<boolean> {
  return await listenOnce(port, "127.0.0.1").then(
    () => true,
    () => false,
  );
}

/** Below the ephemeral range (on Linux, 32768 and up), whose ports may be taken at any moment; above 10080, which fetch refuses. */
const [lowestPort, highestPort] = [10_100, 32_000];
const maxAttempts = 100;

/** A random port that is free on loopback. Random, so that two processes are unlikely to choose the same one. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < maxAttempts; tries++) {
    const port = randomInt(lowestPort, highestPort);
    if (await portIsFree(port)) return port;
  }
  throw new StartError(`none of ${maxAttempts} ports between ${lowestPort} and ${highestPort} is free`);
}

async function listenOnce(port: number, host: string | undefined): Promise<void> {
  const server = createServer();
  server.listen({ port, host, exclusive: true });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}

/** Throws a StartError if the API can't listen on a port that it needs. */
export async function assertApiPorts({ host, port, metrics }: Environment): Promise<void> {
  await assertPortFree(port, "API", "PORT", host);
  if (metrics !== undefined) await assertPortFree(metrics.port, "metrics", "METRICS_PORT", metrics.host);
}

/** The URL at which this machine reaches a server that listens on `host`; undefined means every address. */
export function localUrl(host: string | undefined, port: number): string {
  const isEverywhere = host === undefined || host === "0.0.0.0" || host === "::";
  const name = isEverywhere ? "127.0.0.1" : isIPv6(host) ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Whether a server that listens on `host` is reachable from this machine only. */
export function isLoopback(host: string | undefined): boolean {
  return host !== undefined && (host === "localhost" || host === "::1" || host.startsWith("127."));
}

/** A warning if clients can bypass the trusted proxy at the address that the API listens on, otherwise undefined. */
export function listenWarning(host: string | undefined, trustedProxies: number): string | undefined {
  if (trustedProxies === 0 || isLoopback(host)) return undefined;
  return "TRUST_PROXY is set, and the API listens on an address that others may reach without the proxy: they can then claim any address in X-Forwarded-For and escape the limits. Set HOST=127.0.0.1 if the proxy is on this machine, or let only the proxy through to PORT";
}

const timeoutMs = 10_000;

/** Creates the folder if it is missing. Throws a StartError if it can't be written to. */
export async function assertDataDir(dataDir: string): Promise<void> {
  const folder = path.resolve(dataDir);
  // A disconnected network drive may never answer.
  await within(timeoutMs, tryToWrite(folder), () => {
    const message = `writing to ${folder} takes more than ${timeoutMs / 1_000} s: check its disk, or set DATA_DIR to a folder on another one`;
    throw new StartError(message, { code: "not-writable" });
  });
}

async function tryToWrite(folder: string): Promise<void> {
  const file = path.join(folder, `.write-test-${process.pid}`);
  try {
    await makeFolder(folder);
    const handle = await open(file, "w");
    await handle.writeFile("written").finally(() => handle.close());
    await rm(file);
  } catch (error) {
    await rm(file, { force: true }).catch(() => undefined);
    throw fileError(error, folder);
  }
}

/** Node's own recursive mkdir never returns in folders that can't have subfolders, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  const isThere = await stat(folder).then(
    (stats) => stats.isDirectory(),
    (error: unknown) => {
      if (codeOf(error) === "ENOENT") return false;
      throw error;
    },
  );
  if (isThere) return;
  const parent = path.dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  await mkdir(folder).catch((error: unknown) => {
    // Another process created it first.
    if (codeOf(error) !== "EEXIST") throw error;
  });
}

const MEGABYTE = 1_000_000;

/** Enough for a new database (39 MB), its write-ahead log and some growth. */
export const NEW_DATABASE_BYTES = 200 * MEGABYTE;
/** What an existing database needs to start: recovery and a few write-ahead log segments of 16 MiB. */
export const EXISTING_DATABASE_BYTES = 64 * MEGABYTE;

/** Throws a StartError if this user has less than `bytes` free on the disk of `folder`. */
export async function assertFreeSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new StartError(
    `the disk of ${folder} has ${Math.floor(free / MEGABYTE)} MB free and Postgres needs ${Math.ceil(bytes / MEGABYTE)} MB: free some, or set DATA_DIR to a folder on another disk`,
    { code: "disk-full" },
  );
}

/** Room for some thousand clients, beside the connections to Postgres and the files of the service itself. */
const enough = 4_096;

/** A warning if this process may open few files, otherwise undefined. */
export function openFilesWarning(limit = readLimit()): string | undefined {
  if (limit >= enough) return undefined;
  return `warning: this process may have ${limit} files open at a time, and each connection is one: raise the limit to ${enough} or more, better 65536 (ulimit -Hn; LimitNOFILE= for systemd; --ulimit nofile= for containers)`;
}

/** Node has already raised the soft limit to the hard one. */
function readLimit(): number {
  // Without names of hosts, which it would look up. Node's types lack the setting.
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const limit = userLimits?.open_files?.soft;
  return typeof limit === "number" ? limit : Number.POSITIVE_INFINITY;
}

/** Throws a StartError if the deny list can't be read or has an invalid entry. */
export function assertDenyList(file: string | undefined): void {
  if (file === undefined) return;
  try {
    readDenyList(file);
  } catch (error) {
    throw new StartError(`the deny list can't be used (MODERATION_FILE): ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The error message when no chain is configured. */
export const noChainMessage = `no chain is configured: set PONDER_RPC_URL_56, TOKEN_FACTORY_ADDRESS_56, LAUNCHPAD_ADDRESS_56 and START_BLOCK_56
  (or the same ending in _97 for testnet) in .env.local (copy .env.example). To look around first, run npm run dev: it needs
  no configuration.`;
