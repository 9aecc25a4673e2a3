import { createImageDecoder, type ImageDecoder } from "../../src/api/images/decoder/decoder.ts";
import { type DecoderLimits, decoderLimits } from "../../src/api/images/limits.ts";
import { atEndOfFile } from "../run/end-of-file.ts";

let ofTheFile: ImageDecoder | undefined;

/** One that the tests of a file share: its process takes a second to start. */
export function sharedDecoder(): ImageDecoder {
  if (ofTheFile !== undefined) return ofTheFile;
  const decoder = startDecoder();
  ofTheFile = decoder;
  atEndOfFile(async () => {
    ofTheFile = undefined;
    await decoder.close();
  });
  return decoder;
}

/** A real decoder of one process. Beside other tests, a nice one would wait long for its turn. */
export function startDecoder(limits: Partial<DecoderLimits> = {}): ImageDecoder {
  return createImageDecoder({ processes: 1, limits: { ...decoderLimits, niceness: 0, ...limits } });
}
