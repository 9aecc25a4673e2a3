import { type Context, Hono } from "hono";
import { etagMatches } from "../../lib/etag.ts";
import { problemResponse } from "../../lib/problem.ts";
import { parseImageCid } from "./cid.ts";
import { ImageError } from "./image-error.ts";
import type { ImageService } from "./image-service.ts";

/** Answers an upload: 201 with the stored image, or a problem. Throws what is no ImageError. */
export async function uploadImage(c: Context, images: ImageService): Promise<Response> {
  try {
    return c.json(await images.upload(c.req.raw), 201);
  } catch (error) {
    return imageProblem(c, error);
  }
}

/** `GET` and `HEAD` /:cid, to be mounted at /ipfs. Nothing but images that were uploaded here is served. */
export function createImageGateway(images: ImageService): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Content-Security-Policy", "default-src 'none'; sandbox");
    c.header("Cross-Origin-Resource-Policy", "cross-origin");
  });
  app.get("/:cid", async (c) => {
    try {
      return await serveImage(c, images, c.req.param("cid"));
    } catch (error) {
      return imageProblem(c, error);
    }
  });
  return app;
}

async function serveImage(c: Context, images: ImageService, text: string): Promise<Response> {
  const cid = parseImageCid(text);
  if (cid === undefined)
    throw new ImageError(
      400,
      "invalid_cid",
      "This is not the CID of an image: CIDv1 with sha2-256 in base32, bafkrei... or bafybei...",
    );
  const { image, bytes } = await images.read(cid);
  const headers = {
    ETag: `"${cid}"`,
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Type": image.mimeType,
    "Content-Disposition": `inline; filename="${cid}.${image.mimeType.replace("image/", "")}"`,
  };
  if (etagMatches(c.req.header("If-None-Match"), `"${cid}"`)) return c.body(null, 304, headers);
  return c.body(new Uint8Array(bytes), 200, { ...headers, "Content-Length": String(bytes.length) });
}

/** The problem that an ImageError stands for. Throws every other error on. */
function imageProblem(c: Context, error: unknown): Response {
  if (!(error instanceof ImageError)) throw error;
  const { status, code, title, message, retryAfter } = error;
  // The cause is for us: it may name hosts and paths. A provider's words keep to one line of the log.
  if (status >= 500) console.error(`images: ${message} ${error.cause ?? ""}`.replace(/\p{Cc}+/gu, " "));
  if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
  c.header("Cache-Control", "no-store");
  return problemResponse(c, { status, code, title, detail: message });
}
