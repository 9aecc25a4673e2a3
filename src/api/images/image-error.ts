import { codeOf } from "../../../config/error-code.ts";
import { createThrottledLog } from "../../../config/log.ts";
import { type Problem, type ProblemCode, ProblemException } from "../http/problem.ts";
import { uploadSlots } from "./limits.ts";

const titles = {
  400: "Bad request",
  404: "Not found",
  408: "Upload timed out",
  413: "Image too large",
  415: "Unsupported type",
  422: "Image refused",
  429: "Too many requests",
  502: "Image provider failed",
  503: "Not available",
} as const;

/**
 * Thrown for an upload or an image that is refused. `status` and `code` are the contract with clients, `message` is for people,
 * `retryAfter` is in seconds.
 */
export class ImageError extends Error {
  override name = "ImageError";
  readonly status: keyof typeof titles;
  readonly code: ProblemCode;
  readonly title: string;
  readonly retryAfter: number | undefined;

  constructor(
    status: keyof typeof titles,
    code: ProblemCode,
    message: string,
    { retryAfter, cause }: { retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.title = titles[status];
    this.retryAfter = retryAfter;
  }
}

/** A full disk or a busy decoder fails every request: a line a minute about each kind of failure says as much. */
const quietMs = 60_000;
const logThrottled = createThrottledLog(
  // Control characters in a provider's reply must not break the line.
  (line) => console.error(line.replace(/\p{Cc}+/gu, " ").trimEnd()),
  quietMs,
);

/** Logs a failure that many requests may have. */
export function logImageFailure(what: string, cause: unknown = ""): void {
  logThrottled(`images: ${what}`, String(cause));
}

/** Converts an ImageError to a problem, and logs it if the fault is ours. Returns any other error as it is. */
export function asProblem(error: unknown): unknown {
  if (!(error instanceof ImageError)) return error;
  const { status, message, cause } = error;
  // The cause is only logged, since it may name hosts and paths.
  if (status >= 500) logImageFailure(message, cause);
  return new ProblemException(toProblem(error));
}

export function toProblem({ status, code, title, message: detail, retryAfter }: ImageError): Problem {
  return { status, code, title, detail, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/** For a file that begins like an image of an accepted type, but is not one, or only part of one. */
export function brokenImage(reason: string, cause?: unknown): ImageError {
  return new ImageError(422, "broken_image", `The image can't be read: ${reason}.`, { cause });
}

/** For a failure of the database or the disk. A full one has its own code. */
function storageUnavailable(message: string, cause: unknown): ImageError {
  if (isFull(cause)) return storageFull(cause);
  return new ImageError(503, "storage_unavailable", message, { retryAfter: 10, cause });
}

/** For an image that can't be read from the disk or the database. */
export function unreadable(cause: unknown): ImageError {
  return storageUnavailable("Images can't be read now: ask again later.", cause);
}

/** For an image whose bytes are missing or damaged. */
export function missingBytes(): ImageError {
  return new ImageError(
    404,
    "image_not_here",
    "The bytes of this image are missing here. Replicas have to share the folder images of DATA_DIR, or keep images in S3.",
  );
}

/** For a queue that is full. */
export function tooBusy(message: string): ImageError {
  return new ImageError(503, "busy", message, { retryAfter: 5 });
}

export function unwritable(cause: unknown): ImageError {
  return storageUnavailable("The image can't be stored now: upload it again later.", cause);
}

/** For an image that there is no room for. */
export function storageFull(cause?: unknown): ImageError {
  return new ImageError(
    503,
    "storage_full",
    "There is no room for more images at the moment. Nothing was kept: upload it again later.",
    { retryAfter: 300, cause },
  );
}

/** Whether a disk or quota is full, ours (errno) or that of Postgres (SQLSTATE). */
function isFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "53100"].includes(codeOf(error));
}

/** Returns the error for an upload beyond the limit of its address, or of everyone. */
export function uploadLimitError(limit: "owner" | "everyone"): ImageError {
  return limit === "owner"
    ? new ImageError(
        429,
        "too_many_uploads",
        `${uploadSlots.maxPerOwner} uploads at a time may come from one address: try again when one is done.`,
        { retryAfter: 5 },
      )
    : tooBusy("Too many uploads at the moment: try again in a few seconds.");
}
