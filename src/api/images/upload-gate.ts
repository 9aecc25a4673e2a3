import type { IncomingMessage } from "node:http";
import { requestKey } from "../http/client-ip.ts";
import type { Problem } from "../http/problem.ts";
import { toProblem } from "./image-error.ts";
import type { ImageRouteDeps } from "./image-routes.ts";
import { refuseUpload } from "./refuse-upload.ts";

/** Refuses uploads that would find no slot, before anything of them is read, so that a crowd of them costs next to nothing. */
export function createUploadGate({ images, trustedHops }: ImageRouteDeps) {
  // Made once: an error records its stack, which costs more than all the rest.
  const problems = { owner: toProblem(refuseUpload("owner")), everyone: toProblem(refuseUpload("everyone")) };

  return (request: IncomingMessage): Problem | undefined => {
    if (request.method !== "POST") return undefined;
    const whose = images.whoUploadsTooMuch(requestKey(request, trustedHops));
    return whose === undefined ? undefined : problems[whose];
  };
}
