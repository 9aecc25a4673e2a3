import { createRoute, z } from "@hono/zod-openapi";
import { problems } from "../http/problem.schema.ts";
import { mimeTypes } from "./image-type.ts";
import { resizedWidths } from "./limits.ts";

const bytes = { schema: { type: "string" as const, format: "binary" } };

/** Documents the gateway. It is implemented in image-routes.ts. */
export const gatewayRoute = createRoute({
  method: "get",
  path: "/ipfs/{cid}",
  operationId: "getImage",
  tags: ["Images"],
  summary: "An uploaded image by its CID, original or resized.",
  description:
    "Only images that were uploaded here are served. With `width` it is a WebP of that width in pixels, in its original proportions; a smaller image is not enlarged. Animations stay animated if the result is small enough, else they become their first frame.",
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
          description: "Width in pixels. Default: the image as stored.",
        }),
    }),
  },
  responses: {
    200: {
      description: "The image, which never changes.",
      content: Object.fromEntries(Object.values(mimeTypes).map((type) => [type, bytes])),
    },
    304: { description: "The copy that the client has (If-None-Match) is still current." },
    ...problems({
      400: "This is not the CID of an image, or the width is not one of these.",
      404: "No such image was uploaded here, it was deleted, or another replica has it.",
      451: "The operator has hidden the image: `detail` has the reason.",
      503: "The database is unavailable, the disk can't be read, or too many images are being loaded or resized.",
    }),
  },
});
