import { createImageDecoder, type ImageDecoder } from "../../src/api/images/decoder/decoder.ts";
import { type DecoderLimits, decoderLimits } from "../../src/api/images/limits.ts";

/** A real decoder of one process. Beside other tests, a nice one would wait long for its turn. */
export function startDecoder(limits: Partial<DecoderLimits> = {}): ImageDecoder {
  return createImageDecoder({ processes: 1, limits: { ...decoderLimits, niceness: 0, ...limits } });
}
