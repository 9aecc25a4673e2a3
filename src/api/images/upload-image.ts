import { createRouter } from "../http/router.ts";
import { type ImageRouteDeps, uploadImage } from "./image-routes.ts";
import { uploadImageRoute } from "./upload-image.routes.ts";

export function createUploadImage(parts: ImageRouteDeps) {
  return createRouter().openapi(uploadImageRoute, async (c) => (await uploadImage(c, parts)) as never);
}
