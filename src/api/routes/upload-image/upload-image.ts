import { createRouter } from "../../lib/router.ts";
import { uploadImage } from "../../services/images/image-routes.ts";
import type { ImageService } from "../../services/images/image-service.ts";
import { uploadImageRoute } from "./upload-image.routes.ts";

export function createUploadImage({ images }: { images: ImageService }) {
  return createRouter().openapi(uploadImageRoute, async (c) => (await uploadImage(c, images)) as never);
}
