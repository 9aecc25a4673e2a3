import type { IncomingMessage } from "node:http";
import { clientIp, clientKey, requestKey } from "../http/client-ip.ts";
import type { Problem } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { asProblem, toProblem, uploadLimitError } from "./image-error.ts";
import type { ImageRouteDeps } from "./image-routes.ts";
import { uploadImageFromUrlRoute, uploadImageRoute } from "./images.routes.ts";

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
