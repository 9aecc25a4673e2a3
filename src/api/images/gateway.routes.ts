import { createRoute, z } from "@hono/zod-openapi";
import { problems } from "../http/problem.schema.ts";
import { mimeTypes } from "./image-type.ts";
import { resizedWidths } from "./limits.ts";

const bytes = { schema: { type: "string" as const, format: "binary" } };

/** What the gateway answers, for the document: images/image-routes.ts does it. */
export const gatewayRoute = createRoute({
  method: "get",
  path: "/ipfs/{cid}",
  operationId: "getImage",
  tags: ["Images"],
  summary: "An uploaded image by its CID, as it is or resized.",
  description:
    "Only images that were uploaded here are served. With `width` it is a WebP of that many pixels across, in its own proportions; a smaller image is not enlarged. Animations stay animated while that is small enough, and are their first frame else.",
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
          description: "Pixels. Left out: the image as it is.",
        }),
    }),
  },
  responses: {
    200: {
      description: "The image, which never changes.",
      content: Object.fromEntries(Object.values(mimeTypes).map((type) => [type, bytes])),
    },
    304: { description: "What the client has (If-None-Match) is still true." },
    ...problems({
      400: "This is not the CID of an image, or the width is none of these.",
      404: "No such image was uploaded here, it was dropped, or another replica has it.",
      451: "The operator has hidden the image: `detail` has the reason.",
      503: "The database is away, the disk can't be read, or too many images are being loaded or resized.",
    }),
  },
});
