import * as http from "node:http";
import * as https from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { EndpointFault } from "./fault.ts";
import type { RawAnswer } from "./json-rpc.ts";

export type PostLimits = {
  /** Milliseconds until the last byte of the answer. */
  timeoutMs: number;
  /** Bytes of the answer, decompressed. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
};

/**
 * Posts JSON to an endpoint that may be hostile or broken, following no redirect. Uses Node's own HTTP client because `fetch`
 * takes several times as long per request, and the gate sends some for every block.
 *
 * @throws EndpointFault if there is no answer, or it is late or too long; the signal's reason once it is aborted
 */
export async function postJson(url: URL, body: string, limits: PostLimits): Promise<RawAnswer> {
  limits.signal?.throwIfAborted();
  try {
    return await postOnce(url, body, limits);
  } catch (error) {
    // The endpoint closed a kept-alive connection: retry on a new one.
    if (error instanceof LostConnection) return await postOnce(url, body, limits, false);
    throw error;
  }
}

function postOnce(
  url: URL,
  body: string,
  { timeoutMs, maxBytes, signal }: PostLimits,
  mayReuseConnection = true,
): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const request = (url.protocol === "https:" ? https : http).request(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "accept-encoding": "gzip",
      "content-length": Buffer.byteLength(body),
      // Some firewalls refuse requests without one.
      "user-agent": "node",
    },
  });
  const fail = (error: unknown) => {
    reject(error);
    request.destroy();
  };
  const onAbort = () => fail(signal?.reason);
  const timer = setTimeout(() => fail(new EndpointFault("timeout", "no answer in time")), timeoutMs);
  signal?.addEventListener("abort", onAbort, { once: true });

  let hasBegun = false;
  request.on("error", (error: NodeJS.ErrnoException) => {
    const isLost = mayReuseConnection && request.reusedSocket && !hasBegun && hangUpCodes.has(error.code);
    fail(isLost ? new LostConnection() : toFault(error));
  });
  request.on("response", (response) => {
    hasBegun = true;
    const { statusCode: status = 0, headers } = response;
    const chunks: Buffer[] = [];
    let size = 0;
    const stream = decompressed(response, headers["content-encoding"]);
    stream.on("error", (error) => fail(toFault(error)));
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) fail(new EndpointFault("server", `an answer of more than ${maxBytes} bytes`));
      else chunks.push(chunk);
    });
    stream.on("end", () => {
      resolve({ status, retryAfter: headers["retry-after"], text: Buffer.concat(chunks, size).toString() });
    });
  });
  request.end(body);
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  });
}

/** Errors of writing to a connection that the other side has closed. */
const hangUpCodes: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE"]);

/** A kept-alive connection was lost before an answer began. */
class LostConnection extends Error {}

function decompressed(response: Readable, encoding: string | undefined): Readable {
  // A body in any other encoding, which was not offered, fails to parse as JSON.
  if (encoding !== "gzip") return response;
  const gunzip = createGunzip();
  // The gunzip stream emits its own errors and those of the response.
  return pipeline(response, gunzip, () => {});
}

/** Uses the error's code, because its message contains the address. */
const toFault = (error: NodeJS.ErrnoException) =>
  new EndpointFault("server", `connection failed: ${error.code ?? error.name}`, { cause: error });
