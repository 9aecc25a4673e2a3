import { type Problem, ProblemException } from "../http/problem.ts";
import type { ProblemCode } from "../http/problem-codes.ts";

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
 * An upload or an image that is refused. `status` and `code` are the contract with clients, `message` is for
 * them to read, `retryAfter` counts seconds.
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

/** The problem that an ImageError stands for, which is logged where the fault is ours; any other error as it is. */
export function problemOf(error: unknown): unknown {
  if (!(error instanceof ImageError)) return error;
  // The cause is for us: it may name hosts and paths. A provider's words keep to one line of the log.
  const { status, message, cause } = error;
  if (status >= 500) console.error(`images: ${message} ${cause ?? ""}`.replace(/\p{Cc}+/gu, " "));
  return new ProblemException(toProblem(error));
}

export function toProblem({ status, code, title, message: detail, retryAfter }: ImageError): Problem {
  return { status, code, title, detail, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/** The file says it is an image of a type that we take, but it is none, or only a part of one. */
export function brokenImage(reason: string, cause?: unknown): ImageError {
  return new ImageError(422, "broken_image", `The image can't be read: ${reason}.`, { cause });
}

/** The database or the disk fails; or it is full, which has a code of its own. */
export function storageUnavailable(message: string, cause: unknown): ImageError {
  if (isFull(cause)) return storageFull(cause);
  return new ImageError(503, "storage_unavailable", message, { retryAfter: 10, cause });
}

/** What was uploaded can't be kept. */
export function unwritable(cause: unknown): ImageError {
  return storageUnavailable("The image can't be stored now: upload it again later.", cause);
}

/** There is no room for one more image. */
export function storageFull(cause?: unknown): ImageError {
  return new ImageError(
    503,
    "storage_full",
    "There is no room for more images at the moment. Nothing was kept: upload it again later.",
    { retryAfter: 300, cause },
  );
}

/** A full disk or quota, of ours (errno) or of Postgres (SQLSTATE). */
function isFull(error: unknown): boolean {
  const code = String((error as { code?: unknown } | undefined)?.code);
  return ["ENOSPC", "EDQUOT", "53100"].includes(code);
}
