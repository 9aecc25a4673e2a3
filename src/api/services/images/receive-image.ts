import { Readable } from "node:stream";
import Busboy, { type BusboyInstance } from "@fastify/busboy";
import { ImageError } from "./image-error.ts";
import { imageLimits } from "./limits.ts";

const partLimits = {
  fileSize: imageLimits.bytes,
  files: 2,
  fields: 20,
  parts: 22,
  fieldNameSize: 1_000,
  fieldSize: 10_000,
  headerPairs: 50,
  headerSize: 16_384,
};

/**
 * Reads the one file of a multipart/form-data request, from the field `file`. Other fields are passed over, the
 * file's name and declared type are not looked at, and Content-Length is not trusted: reading stops at the first
 * byte too much, and then the rest of the body is refused.
 *
 * Throws an ImageError: 400 for a request of another form, 408 when it takes too long, 413 for more than 5 MB,
 * 415 for another content type.
 */
export async function receiveImage(
  request: Request,
  { timeoutMs = imageLimits.receivingMs }: { timeoutMs?: number } = {},
): Promise<Buffer> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType))
    throw new ImageError(
      415,
      "not_multipart",
      "Send the image as multipart/form-data, in a field with the name file.",
    );
  if (request.body === null) throw missingFile();
  const parser = createParser(contentType);
  const body = Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0]);

  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new ImageError(408, "upload_timeout", "The upload took too long.")),
        timeoutMs,
      );
      collect(parser, body, { resolve, reject });
      body.on("error", (cause) => reject(malformed("it ends early", cause)));
      body.on("close", () => {
        if (!body.readableEnded) reject(malformed("it ends early"));
      });
    });
  } finally {
    clearTimeout(timer);
    body.on("error", () => {});
    body.destroy();
    parser.destroy();
  }
}

type Outcome = { resolve(bytes: Buffer): void; reject(error: ImageError): void };

/** Settles once, by whichever of these happens first; what the others then say has no effect. */
function collect(parser: BusboyInstance, body: Readable, { resolve, reject }: Outcome): void {
  const chunks: Buffer[] = [];
  let files = 0;
  let received = 0;

  parser.on("file", (field, stream) => {
    stream.on("error", () => {});
    files++;
    if (files > 1) reject(new ImageError(400, "several_files", "Send one image at a time."));
    if (field !== "file") reject(missingFile());
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("limit", () => reject(tooLarge()));
  });
  parser.on("filesLimit", () => reject(new ImageError(400, "several_files", "Send one image at a time.")));
  parser.on("fieldsLimit", () => reject(malformed("it has too many fields")));
  parser.on("partsLimit", () => reject(malformed("it has too many parts")));
  parser.on("error", (cause) => reject(malformed("it is not well formed", cause)));
  parser.on("finish", () => {
    if (files === 0) reject(missingFile());
    else resolve(Buffer.concat(chunks));
  });

  body.on("data", (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > imageLimits.bytes + imageLimits.envelopeBytes) reject(tooLarge());
    else if (!parser.write(chunk)) {
      body.pause();
      parser.once("drain", () => body.resume());
    }
  });
  body.on("end", () => parser.end());
}

function createParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: partLimits,
      // Also without a file name, or with an empty one.
      isPartAFile: (field, type, name) =>
        field === "file" || type === "application/octet-stream" || name !== undefined,
    });
  } catch (cause) {
    throw malformed("its content type has no boundary", cause);
  }
}

function missingFile(): ImageError {
  return new ImageError(400, "missing_file", "Send the image as a file, in the field with the name file.");
}

function tooLarge(): ImageError {
  return new ImageError(413, "image_too_large", `An image may have ${imageLimits.bytes} bytes.`);
}

function malformed(reason: string, cause?: unknown): ImageError {
  return new ImageError(400, "malformed_multipart", `The multipart body can't be read: ${reason}.`, {
    cause,
  });
}
