import { ServerResponse } from "node:http";
import { Socket } from "node:net";

const minBytes = 16 * 1_024;
const maxBytes = 1_024 * 1_024;
/** The most idle buffers kept of each size, in bytes. The garbage collector gets the others. */
const maxIdleBytes = 4 * 1_024 * 1_024;

/** Idle buffers by size, a power of two. */
const idle = new Map<number, Buffer<ArrayBuffer>[]>();

/**
 * Returns a buffer to fill and send with this response. Once the operating system has taken all of it, other responses
 * reuse it: thousands of new buffers a second would cause several major garbage collections a second, each of which stalls
 * every request.
 *
 * @param response Node's `ServerResponse`, or anything else if there is no Node server
 */
export function acquireBuffer(response: unknown, length: number): Buffer<ArrayBuffer> {
  const isReusable = response instanceof ServerResponse && response.socket instanceof Socket;
  if (!isReusable || length < minBytes / 2 || length > maxBytes) return Buffer.allocUnsafe(length);
  const size = Math.max(minBytes, 2 ** Math.ceil(Math.log2(length)));
  const ofSize = idle.get(size) ?? [];
  idle.set(size, ofSize);
  const bytes = ofSize.pop() ?? Buffer.allocUnsafeSlow(size);
  // An aborted response never finishes: its buffer is not reused.
  response.once("finish", () => {
    if (ofSize.length < maxIdleBytes / size) ofSize.push(bytes);
  });
  return bytes.subarray(0, length);
}
