import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import type { BusboyInstance } from "@fastify/busboy";
import Busboy from "@fastify/busboy";
import { ignore } from "../../../config/async.ts";
import { ImageError, unwritable } from "./image-error.ts";
import { imageLimits, receivingLimits } from "./limits.ts";

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

export type ReceivingOptions = {
  /** Receives the file. */
  spool: Spool;
  /** Aborts the upload, as if the client had been too slow. */
  signal?: AbortSignal;
  /** Called whenever another `windowBytes` have arrived. */
  onProgress?: () => void;
  limits?: Pick<typeof receivingLimits, "totalMs" | "windowMs" | "windowBytes">;
};

/**
 * Reads the one file of a multipart/form-data request, from the field `file`. Other fields, the file's name and its declared type are
 * ignored. Content-Length is not trusted: reading stops at the first byte beyond the limit, and the rest of the body is refused.
 *
 * Throws an ImageError: 400 for a malformed request, 408 if it takes too long, 413 for more than 5 MB, 415 for another content type,
 * 503 if the disk fails.
 */
export async function receiveImage(
  request: Request,
  { spool, signal, onProgress = () => {}, limits = receivingLimits }: ReceivingOptions,
): Promise<void> {
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

  const timers: NodeJS.Timeout[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => reject(tooSlow(limits));
      signal?.addEventListener("abort", giveUp);
      if (signal?.aborted) giveUp();
      timers.push(...watchPace(body, { limits, onProgress, giveUp }));
      collect(parser, body, { spool, resolve, reject });
      body.on("error", (cause) => reject(malformed("it ends early", cause)));
      body.on("close", () => {
        if (!body.readableEnded) reject(malformed("it ends early"));
      });
    });
  } finally {
    for (const timer of timers) clearInterval(timer);
    body.on("error", ignore);
    body.destroy();
    parser.destroy();
  }
}

type Pace = { limits: NonNullable<ReceivingOptions["limits"]>; onProgress(): void; giveUp(): void };

/** Gives up on a client that stalls, trickles or never ends. */
function watchPace(body: Readable, { limits, onProgress, giveUp }: Pace): NodeJS.Timeout[] {
  let sinceProgress = 0;
  let inWindow = 0;
  /** Whether the body was paused by our own backpressure, which is not the client's fault. */
  let wasPaused = false;
  body.on("data", (chunk: Uint8Array) => {
    inWindow += chunk.length;
    sinceProgress += chunk.length;
    if (sinceProgress < limits.windowBytes) return;
    sinceProgress = 0;
    onProgress();
  });
  body.on("pause", () => {
    wasPaused = true;
  });
  const checkWindow = () => {
    if (inWindow < limits.windowBytes && !wasPaused) giveUp();
    inWindow = 0;
    wasPaused = body.isPaused();
  };
  return [setInterval(checkWindow, limits.windowMs), setTimeout(giveUp, limits.totalMs)];
}

type Outcome = { spool: Spool; resolve(): void; reject(error: ImageError): void };

/** Feeds the body to the parser, and settles on the first outcome. Later ones have no effect. */
function collect(parser: BusboyInstance, body: Readable, { spool, resolve, reject }: Outcome): void {
  let spooling = Promise.resolve();
  let files = 0;
  let received = 0;

  const toSpool = async (stream: Readable) => {
    try {
      for await (const chunk of stream) await spool.write(chunk).catch((cause) => reject(unwritable(cause)));
    } catch {
      // The part broke off. The parser reports that.
    }
  };

  parser.on("file", (field, stream) => {
    stream.on("error", () => {});
    files++;
    if (files > 1) reject(severalFiles());
    if (field !== "file") reject(missingFile());
    stream.on("limit", () => reject(tooLarge()));
    if (files > 1 || field !== "file") stream.resume();
    else spooling = toSpool(stream);
  });
  parser.on("filesLimit", () => reject(severalFiles()));
  parser.on("fieldsLimit", () => reject(malformed("it has too many fields")));
  parser.on("partsLimit", () => reject(malformed("it has too many parts")));
  parser.on("error", (cause) => reject(malformed("it is not well formed", cause)));
  parser.on("finish", () => {
    if (files === 0) reject(missingFile());
    else void spooling.then(resolve);
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
      // The field `file` counts as a file even with an empty name, or none.
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

function severalFiles(): ImageError {
  return new ImageError(400, "several_files", "Send one image at a time.");
}

export function tooLarge(): ImageError {
  return new ImageError(413, "image_too_large", `An image may have ${imageLimits.bytes} bytes.`);
}

function malformed(reason: string, cause?: unknown): ImageError {
  return new ImageError(400, "malformed_multipart", `The multipart body can't be read: ${reason}.`, {
    cause,
  });
}

function tooSlow({ totalMs, windowMs, windowBytes }: NonNullable<ReceivingOptions["limits"]>): ImageError {
  return new ImageError(
    408,
    "upload_timeout",
    `The upload is too slow: send at least ${windowBytes} bytes every ${windowMs / 1_000} s, and all within ${totalMs / 1_000} s.`,
  );
}

type Spool = ReturnType<typeof createSpool>;

/**
 * Buffers the bytes of one upload, up to `memoryBytes` in memory. A longer upload goes to a file in `folder`, which is unlinked as soon as
 * it is open, so that it disappears with the process, however that ends.
 */
export function createSpool({ folder, memoryBytes }: { folder: string; memoryBytes: number }) {
  let inMemory: Uint8Array[] = [];
  let size = 0;
  let file: FileHandle | undefined;
  let isClosed = false;

  async function append(bytes: Uint8Array, handle: FileHandle): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, size + at);
      at += bytesWritten;
    }
  }

  return {
    /** Appends bytes. Throws if the disk fails. */
    async write(bytes: Uint8Array): Promise<void> {
      if (isClosed) throw new Error("the spool is closed");
      if (file === undefined && size + bytes.length <= memoryBytes) {
        // Copied, since a chunk may be a view into a larger buffer, which must not stay in memory.
        inMemory.push(Uint8Array.from(bytes));
        size += bytes.length;
        return;
      }
      if (file === undefined) {
        const opened = await openUnlinked(folder);
        if (isClosed) return await opened.close();
        file = opened;
        const earlier = Buffer.concat(inMemory);
        inMemory = [];
        size = 0;
        await append(earlier, file);
        size = earlier.length;
      }
      await append(bytes, file);
      size += bytes.length;
    },

    /** Returns all bytes. Throws if the disk fails. */
    async read(): Promise<Buffer> {
      if (file === undefined) return Buffer.concat(inMemory);
      const bytes = Buffer.alloc(size);
      for (let at = 0; at < size; ) {
        const { bytesRead } = await file.read(bytes, at, size - at, at);
        if (bytesRead === 0) throw new Error("the spooled upload is shorter than what was written");
        at += bytesRead;
      }
      return bytes;
    },

    /** Frees the memory and the disk space. */
    async close(): Promise<void> {
      isClosed = true;
      inMemory = [];
      const handle = file;
      file = undefined;
      await handle?.close();
    },
  };
}

async function openUnlinked(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const name = path.join(folder, randomUUID());
  const handle = await open(name, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await unlink(name);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
