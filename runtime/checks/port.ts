import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { codeOf, StartError } from "../start-error.ts";

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
        throw new StartError("failed", `${host} (${what}) is not an address of this machine`, {
          cause: error,
        });
      }
      const problem =
        code === "EADDRINUSE"
          ? `is taken by another process: ${otherwise} or stop it`
          : code === "EACCES"
            ? `needs privileges that this user lacks: ${otherwise}, above 1023`
            : `cannot be listened on (${code || String(error)}): ${otherwise}`;
      throw new StartError("port-taken", `port ${port} (${what}) ${problem}`, { cause: error });
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
  throw new StartError(
    "failed",
    `none of ${maxAttempts} ports between ${lowestPort} and ${highestPort} is free`,
  );
}

async function listenOnce(port: number, host: string | undefined): Promise<void> {
  const server = createServer();
  server.listen({ port, host, exclusive: true });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}
