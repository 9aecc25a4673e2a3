import { createImageDecoder, type ImageDecoder } from "../../src/api/images/decoder/decoder.ts";
import { type DecoderLimits, decoderLimits } from "../../src/api/images/limits.ts";
import { atEndOfFile } from "../run/end-of-file.ts";

let fileDecoder: ImageDecoder | undefined;

/** A decoder that the tests of a file share, because its process takes a second to start. */
export function sharedDecoder(): ImageDecoder {
  if (fileDecoder !== undefined) return fileDecoder;
  const decoder = startDecoder();
  fileDecoder = decoder;
  atEndOfFile(async () => {
    fileDecoder = undefined;
    await decoder.close();
  });
  return decoder;
}

/** A real decoder with one process. Its niceness is 0, since a nice process would starve beside other tests. */
export function startDecoder(limits: Partial<DecoderLimits> = {}): ImageDecoder {
  return createImageDecoder({ processes: 1, limits: { ...decoderLimits, niceness: 0, ...limits } });
}
