import { createRoute, z } from "@hono/zod-openapi";
import { jsonBody } from "../http/json-body.ts";
import { urlProblem } from "../http/outbound.ts";
import { problems } from "../http/problem.schema.ts";
import { mimeTypes } from "./image-type.ts";
import { resizedWidths } from "./limits.ts";

const imageSource = z
  .string()
  .max(2_048)
  .superRefine((text, context) => {
    const message = urlProblem(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  })
  .transform((text) => new URL(text))
  .openapi({ type: "string", format: "uri", example: "https://example.com/otter.png" });

const uploadedImage = z
  .object({
    cid: z.string().regex(/^baf(krei|ybei)[a-z2-7]{52}$/),
    url: z.string().openapi({ description: "`ipfs://<cid>`, to be used as imageUrl." }),
    gatewayUrl: z.string().openapi({ description: "The URL for browsers." }),
    mimeType: z.enum(Object.values(mimeTypes)),
    size: z.int().openapi({ description: "Bytes of the stored image." }),
    width: z.int().openapi({ description: "Pixels." }),
    height: z.int().openapi({ description: "Pixels." }),
  })
  .openapi("UploadedImage");

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
          schema: uploadedImage,
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

export const uploadImageFromUrlRoute = createRoute({
  method: "post",
  path: "/api/upload-image/from-url",
  operationId: "uploadImageFromUrl",
  tags: ["Images"],
  summary: "Store the image at a URL for a registration, as if it had been uploaded.",
  description:
    "For programs that can't send files. The service fetches the image, checks and stores it as `POST /api/upload-image` does. Only where the operator has set `IMAGES_FROM_URLS=on`. The URL must lead to a public address over https, without a redirect, and the image must arrive within 20 seconds.",
  middleware: jsonBody({ maxBytes: 8 * 1_024 }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": { schema: z.strictObject({ url: imageSource }).openapi("ImageSource") },
      },
    },
  },
  responses: {
    201: {
      description: "Stored. The same image has the same CID again, and is stored only once.",
      content: { "application/json": { schema: uploadedImage } },
    },
    ...problems({
      400: "The URL is not an https URL.",
      404: "`images_from_urls_off`: the operator doesn't allow it.",
      413: "The image has more than 5 MB, as fetched or as it would be stored; or the body is too large.",
      415: "The body is not JSON, or what is at the URL is not an image of these types.",
      422: "`image_url_failed`: nothing was fetched, and `detail` says why; or the image is broken, has too many pixels, or takes too much memory or time to decode.",
      429: "As for an upload.",
      502: "The IPFS provider refused it.",
      503: "As for an upload.",
    }),
  },
});

const bytes = { schema: { type: "string" as const, format: "binary" } };

/** Documents the gateway. It is implemented in image-routes.ts. */
export const gatewayRoute = createRoute({
  method: "get",
  path: "/ipfs/{cid}",
  operationId: "getImage",
  tags: ["Images"],
  summary: "An uploaded image by its CID, in its original size or resized.",
  description:
    "Only images that were uploaded here are served. With `width`, it is a WebP of that width in pixels with the same proportions; a smaller image is not enlarged. An animation stays animated if that is small enough, and otherwise becomes its first frame.",
  request: {
    params: z.object({
      cid: z.string().openapi({
        param: { name: "cid", in: "path" },
        description: "CIDv1 in base32.",
        example: "bafkreibdjy2jjf6uklsqeqcjdzf7xfp4mavpo6yi3ocu4cjbmvoqd5oqia",
      }),
    }),
    query: z.object({
      width: z
        .enum(resizedWidths)
        .optional()
        .openapi({
          type: "integer",
          enum: resizedWidths.map(Number),
          description: "Pixels. Left out: the original image.",
        }),
    }),
  },
  responses: {
    200: {
      description: "The image, which never changes.",
      content: Object.fromEntries(Object.values(mimeTypes).map((type) => [type, bytes])),
    },
    304: { description: "The client's copy (If-None-Match) is still valid." },
    ...problems({
      400: "This is not the CID of an image, or not one of these widths.",
      404: "No such image was uploaded here, it was dropped, or another replica has it.",
      451: "The operator has hidden the image: `detail` has the reason.",
      503: "The database or the image store is unavailable, the disk can't be read, or too many images are being loaded or resized.",
    }),
  },
});
