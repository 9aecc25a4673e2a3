import { createRoute, z } from "@hono/zod-openapi";
import { problems } from "../http/problem.schema.ts";
import { mimeTypes } from "./image-type.ts";

export const uploadImageRoute = createRoute({
  method: "post",
  path: "/api/upload-image",
  operationId: "uploadImage",
  tags: ["Images"],
  summary: "Upload an image for a registration: re-encoded without metadata, and stored on IPFS.",
  description:
    "One PNG, JPEG, GIF, WebP or AVIF of up to 5 MB. Its type is read from its bytes. It is stored upright, in sRGB and without metadata, so its CID is not that of the uploaded file; an animated PNG becomes its first frame. Use `url` as the imageUrl of a registration within 24 hours: an upload that no registration mentions is dropped after that, or sooner, usually after 15 minutes, if there are too many of them.",
  request: {
    body: {
      required: true,
      content: {
        "multipart/form-data": {
          // No zod schema: that would read the whole body into memory before anything is checked.
          schema: {
            type: "object",
            required: ["file"],
            properties: { file: { type: "string", format: "binary" } },
          },
        },
      },
    },
  },
  responses: {
    201: {
      description: "Stored. The same file uploaded again has the same CID, and is stored only once.",
      content: {
        "application/json": {
          schema: z
            .object({
              cid: z.string().regex(/^baf(krei|ybei)[a-z2-7]{52}$/),
              url: z.string().openapi({ description: "`ipfs://<cid>`, to be used as imageUrl." }),
              gatewayUrl: z.string().openapi({ description: "The URL for browsers." }),
              mimeType: z.enum(Object.values(mimeTypes)),
              size: z.int().openapi({ description: "Bytes of the stored image." }),
              width: z.int().openapi({ description: "Pixels." }),
              height: z.int().openapi({ description: "Pixels." }),
            })
            .openapi("UploadedImage"),
        },
      },
    },
    ...problems({
      400: "There is no file in the field `file`, more than one, or the body is broken.",
      408: "The upload is too slow: it may take a minute, with at least 32 kB every 5 seconds until it is complete.",
      413: "The file has more than 5 MB, as sent or as it would be stored.",
      415: "The body is not multipart/form-data, or the file is not an image of these types.",
      422: "The image is broken, has too many pixels, or takes too much memory or time to decode.",
      502: "The IPFS provider refused it.",
      429: "Too many requests; or `too_many_uploads`: one address uploads too many at a time, or has too many uploads that no registration mentions yet.",
      503: "The IPFS provider or the database is unavailable, the decoder has failed, too many images are being uploaded, or `storage_full`: there is no room for more images at the moment.",
    }),
  },
});
