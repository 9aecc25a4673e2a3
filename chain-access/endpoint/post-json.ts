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
 * Posts JSON to an endpoint that may be hostile or broken. With Node's own HTTP client rather than `fetch`, which takes several
 * times as long for each request: the gate sends some for every block. It follows no redirect.
 *
 * @throws EndpointFault if there is no answer, not in time, or too long a one; the signal's reason
 */
export async function postJson(url: URL, body: string, limits: PostLimits): Promise<RawAnswer> {
  limits.signal?.throwIfAborted();
  try {
    return await postOnce(url, body, limits);
  } catch (error) {
    // The endpoint closed a connection that was kept: a new one is as good.
    if (error instanceof LostConnection) return await postOnce(url, body, limits, false);
    throw error;
  }
}

function postOnce(
  url: URL,
  body: string,
  { timeoutMs, maxBytes, signal }: PostLimits,
  isKeptFine = true,
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
    const isLost = isKeptFine && request.reusedSocket && !hasBegun && hangUps.has(error.code);
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

/** How the end of a connection shows to whoever writes to it. */
const hangUps: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE"]);

/** Before an answer began, and on a connection that an earlier request had left open. */
class LostConnection extends Error {}

function decompressed(response: Readable, encoding: string | undefined): Readable {
  // What is compressed in another way, though nobody asked for it, turns out to be no JSON.
  if (encoding !== "gzip") return response;
  const gunzip = createGunzip();
  // Its errors, and those of the response, are the gunzip's.
  return pipeline(response, gunzip, () => {});
}

/** An error's message names the address, its code does not. */
const toFault = (error: NodeJS.ErrnoException) =>
  new EndpointFault("server", `connection failed: ${error.code ?? error.name}`, { cause: error });
