import { ServerResponse } from "node:http";
import { Socket } from "node:net";

const smallest = 16 * 1_024;
const largest = 1_024 * 1_024;
/** Unused ones of each size, as bytes. More are left to be collected. */
const mostIdleBytes = 4 * 1_024 * 1_024;

/** By their size, which is a power of two. */
const idle = new Map<number, Buffer<ArrayBuffer>[]>();

/**
 * Bytes to fill and send with this response, which other responses get again once the system has taken them all: thousands of new ones
 * in a second make V8 collect all garbage several times in it, and every request waits for that.
 *
 * @param response what the server for Node responds with, or anything else in a process without one
 */
export function bytesFor(response: unknown, length: number): Buffer<ArrayBuffer> {
  const isSent = response instanceof ServerResponse && response.socket instanceof Socket;
  if (!isSent || length < smallest / 2 || length > largest) return Buffer.allocUnsafe(length);
  const size = Math.max(smallest, 2 ** Math.ceil(Math.log2(length)));
  const ofSize = idle.get(size) ?? [];
  idle.set(size, ofSize);
  const bytes = ofSize.pop() ?? Buffer.allocUnsafeSlow(size);
  // One that is cut off does not finish, and its bytes are not used again.
  response.once("finish", () => {
    if (ofSize.length < mostIdleBytes / size) ofSize.push(bytes);
  });
  return bytes.subarray(0, length);
}
