import type { IncomingMessage, ServerResponse } from "node:http";
import { type Context, Hono } from "hono";
import { createTickBudget } from "../concurrency/event-loop.ts";
import { createSlots, type Slots } from "../concurrency/semaphore.ts";
import { clientIp, clientKey, nodeOf, requestKey } from "../http/client-ip.ts";
import { etagMatches } from "../http/etag.ts";
import { invalidParameter, type Problem } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { parseImageCid } from "./dag.ts";
import {
  asProblem,
  ImageError,
  logImageFailure,
  tooBusy,
  toProblem,
  uploadLimitError,
} from "./image-error.ts";
import type { ImageService } from "./image-service.ts";
import { mimeTypes } from "./image-type.ts";
import { uploadImageFromUrlRoute, uploadImageRoute } from "./images.routes.ts";
import { gatewaySlots, resizedWidths } from "./limits.ts";
import type { ResizedWidth } from "./resized-images.ts";

type ImageRouteDeps = {
  images: ImageService;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** Serves `GET` and `HEAD` /:cid, to be mounted at /ipfs. Only images that were uploaded here are served. */
export function createImageGateway(deps: ImageRouteDeps): Hono {
  const slots = createSlots({ ...gatewaySlots, refuse: readLimitError });
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox");
    c.header("Cross-Origin-Resource-Policy", "cross-origin");
  });
  app.get("/:cid", async (c) => {
    try {
      return await serveImage(c, deps, slots);
    } catch (error) {
      throw asProblem(error);
    }
  });
  return app;
}

async function serveImage(
  c: Context,
  { images, trustedHops }: ImageRouteDeps,
  slots: Slots,
): Promise<Response> {
  const cid = parseImageCid(c.req.param("cid") ?? "");
  if (cid === undefined)
    throw new ImageError(
      400,
      "invalid_cid",
      "This is not the CID of an image: CIDv1 with sha2-256 in base32, bafkrei... or bafybei...",
    );
  const width = parseWidth(c);
  const image = await images.find(cid);
  const [name, type] = width === undefined ? [cid, image.mimeType] : [`${cid}-${width}`, mimeTypes.webp];
  const headers = {
    ETag: `"${name}"`,
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Type": type,
    "Content-Disposition": `inline; filename="${name}.${type.replace("image/", "")}"`,
  };
  // The CID determines the bytes, so there is no need to check the disk.
  if (etagMatches(c.req.header("If-None-Match"), headers.ETag)) return c.body(null, 304, headers);

  const owner = clientKey(clientIp(c, trustedHops));
  const resized = width && (await images.readResized(image, width, owner));
  const sized = { ...headers, "Content-Length": String(resized?.length ?? image.size) };
  if (c.req.method === "HEAD") {
    if (resized === undefined) await images.locate(image, owner);
    return c.body(null, 200, sized);
  }
  const { outgoing } = nodeOf(c);
  // Its first block is read and verified before it is sent, which takes as long as any other.
  if (resized === undefined) await yieldWhenSpent(owner);
  const blocks = resized === undefined ? await images.read(image, owner) : inOneBlock(resized);
  return c.body(streamBlocks(blocks, { slots, owner, outgoing }), 200, sized);
}

/** Parses the width in the query. Undefined for the original image. */
function parseWidth(c: Context): ResizedWidth | undefined {
  const [text, another] = c.req.queries("width") ?? [];
  if (text === undefined) return undefined;
  const width = resizedWidths.find((offered) => offered === text);
  if (width === undefined || another !== undefined)
    throw invalidParameter("width", `must be one of ${resizedWidths.join(", ")}`);
  return width;
}

async function* inOneBlock(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function readLimitError(limit: "owner" | "everyone"): ImageError {
  return limit === "owner"
    ? new ImageError(
        429,
        "too_many_requests",
        `${gatewaySlots.maxPerOwner} images at a time may be loaded from one address: try again when some are done.`,
        { retryAfter: 5 },
      )
    : tooBusy("Too many images are being loaded: try again in a few seconds.");
}

/** Bytes handed to a connection at a time. */
const chunkBytes = 65_536;

/** In each tick of the event loop, one block is read, of all images together: one of each client in turn. */
const yieldWhenSpent = createTickBudget();

type StreamOptions = {
  slots: Slots;
  /** The client that the slot counts for. */
  owner: string;
  /** The underlying response, which is destroyed if the body can't be completed. */
  outgoing: ServerResponse | undefined;
};

/**
 * Creates a response body from blocks. Each is read once the client has taken the previous one, so that a stalled client holds only
 * one block. The body holds a slot until it ends, is cancelled, or is cut off.
 */
export function streamBlocks(
  blocks: AsyncGenerator<Uint8Array>,
  { slots, owner, outgoing }: StreamOptions,
): ReadableStream<Uint8Array> {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let block = new Uint8Array();
  let hasEnded = false;
  const slot = slots.take(owner, cutOff);

  function end(): void {
    hasEnded = true;
    slot.release();
    block = new Uint8Array();
    void blocks.return(undefined);
  }

  /** The body will be shorter than its Content-Length: destroying the connection lets the client see that. */
  function cutOff(): void {
    end();
    if (outgoing === undefined) controller.error(new Error("the image could not be sent to its end"));
    else outgoing.destroy();
  }

  outgoing?.once("close", end);
  if (outgoing?.destroyed) end();

  return new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
      },
      async pull() {
        try {
          if (block.length === 0) {
            await yieldWhenSpent(owner);
            const next = await blocks.next();
            if (hasEnded) return;
            if (next.done) {
              end();
              return controller.close();
            }
            block = next.value as Uint8Array<ArrayBuffer>;
            slot.touch();
          }
          controller.enqueue(block.subarray(0, chunkBytes));
          block = block.subarray(chunkBytes);
        } catch (error) {
          logImageFailure("an image can't be sent to its end:", error);
          cutOff();
        }
      },
      cancel: end,
    },
    // No read-ahead.
    { highWaterMark: 0 },
  );
}

export function createUploadImage({ images, trustedHops }: ImageRouteDeps) {
  return createRouter()
    .openapi(uploadImageRoute, async (c) => {
      try {
        return c.json(await images.upload(c.req.raw, clientKey(clientIp(c, trustedHops))), 201);
      } catch (error) {
        throw asProblem(error);
      }
    })
    .openapi(uploadImageFromUrlRoute, async (c) => {
      try {
        const { url } = c.req.valid("json");
        return c.json(await images.uploadFrom(url, clientKey(clientIp(c, trustedHops))), 201);
      } catch (error) {
        throw asProblem(error);
      }
    });
}

/** Refuses uploads that would get no slot before any of their bytes are read, so that a crowd of them costs next to nothing. */
export function createUploadGate({ images, trustedHops }: ImageRouteDeps) {
  // Created once, because recording an error's stack costs more than everything else here.
  const problems = {
    owner: toProblem(uploadLimitError("owner")),
    everyone: toProblem(uploadLimitError("everyone")),
  };

  return (request: IncomingMessage): Problem | undefined => {
    if (request.method !== "POST") return undefined;
    const limit = images.reachedUploadLimit(requestKey(request, trustedHops));
    return limit === undefined ? undefined : problems[limit];
  };
}
