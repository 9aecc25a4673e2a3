import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { codeOf, StartError } from "../start-error.ts";

/**
 * Throws a StartError when `port` cannot be listened on.
 *
 * @param what What wants the port, as the message names it: "API".
 * @param variable The environment variable that sets the port: "PORT".
 * @param host The address that it will be listened on; undefined for all of them.
 */
export async function assertPortFree(
  port: number,
  what: string,
  variable?: string,
  host?: string,
): Promise<void> {
  const otherwise = variable === undefined ? "choose a free one" : `set ${variable} to a free one`;
  // Try both: on some systems a listener on one address does not conflict with one on all addresses.
  const hosts = host === undefined ? ["127.0.0.1", undefined] : [host];
  for (const address of hosts) {
    try {
      await listenOnce(port, address);
    } catch (error) {
      const code = codeOf(error);
      if (code === "EADDRNOTAVAIL") {
        throw new StartError("failed", `${host} (${what}) is no address of this machine`, { cause: error });
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

/** Whether a loopback listener could have `port` now. */
export async function portIsFree(port: number): Promise<boolean> {
  return await listenOnce(port, "127.0.0.1").then(
    () => true,
    () => false,
  );
}

/** Below the ports that systems give to connections (on Linux, 32768 and up): any of those may be taken the next moment. Above 10080, which fetch refuses. */
const [lowestPort, highestPort] = [10_100, 32_000];
const mostTries = 100;

/** A port that is free on loopback, at random, so that it is unlikely to be taken the next moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < mostTries; tries++) {
    const port = randomInt(lowestPort, highestPort);
    if (await portIsFree(port)) return port;
  }
  throw new StartError(
    "failed",
    `none of ${mostTries} ports between ${lowestPort} and ${highestPort} is free`,
  );
}

async function listenOnce(port: number, host: string | undefined): Promise<void> {
  const server = createServer();
  server.listen({ port, host, exclusive: true });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}
