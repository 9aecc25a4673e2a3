import { clientIp, clientKey } from "../http/client-ip.ts";
import { createRouter } from "../http/router.ts";
import { asProblem } from "./image-error.ts";
import type { ImageRouteDeps } from "./image-routes.ts";
import { uploadImageRoute } from "./upload-image.routes.ts";

export function createUploadImage({ images, trustedHops }: ImageRouteDeps) {
  return createRouter().openapi(uploadImageRoute, async (c) => {
    try {
      return c.json(await images.upload(c.req.raw, clientKey(clientIp(c, trustedHops))), 201);
    } catch (error) {
      throw asProblem(error);
    }
  });
}
