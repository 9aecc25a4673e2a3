import { EndpointFault } from "../endpoint/fault.ts";

export type LineLimits = {
  /** Characters per line, and bytes in total. */
  lineLength: number;
  bytes: number;
};

/** A line without its line break. `isTerminated` is false for a last line that has none, such as one that was cut off. */
export type Line = { text: string; isTerminated: boolean };

/**
 * Splits a body into lines as it arrives.
 *
 * @param onChunk called with the size of each chunk
 * @throws EndpointFault of kind "results" if a limit is exceeded; the body's own error
 */
export async function* readLines(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limits: LineLimits,
  onChunk: (bytes: number) => void,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let [length, bytes] = [0, 0];
  for await (const chunk of body) {
    onChunk(chunk.length);
    bytes += chunk.length;
    if (bytes > limits.bytes) throw tooMuch(`${limits.bytes} bytes`);
    for (const [index, part] of decoder.decode(chunk, { stream: true }).split("\n").entries()) {
      if (index > 0) {
        yield { text: begun.join(""), isTerminated: true };
        [begun, length] = [[], 0];
      }
      begun.push(part);
      length += part.length;
      if (length > limits.lineLength) throw tooMuch(`${limits.lineLength} characters in a line`);
    }
  }
  if (length > 0) yield { text: begun.join(""), isTerminated: false };
}

const tooMuch = (what: string) => new EndpointFault("results", `more than ${what}`);
