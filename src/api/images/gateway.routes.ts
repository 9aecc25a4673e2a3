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
      503: "The database is unavailable, the disk can't be read, or too many images are being loaded or resized.",
    }),
  },
});
