import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { pause } from "../../../../config/async.ts";
import type { S3Settings } from "../../../../config/images.ts";
import { buildDag } from "../dag.ts";
import { imageLimits } from "../limits.ts";
import {
  assertAvailable,
  ProviderError,
  providerRefused,
  type RemoteStore,
  requestProvider,
} from "./provider.ts";

/** `prefix` is what the names of our objects begin with. */
export type S3Options = Omit<S3Settings, "cacheBytes"> & { timeoutMs?: number };

/** Milliseconds before the second attempt. */
const retryAfterMs = 200;

type File = { bytes: Uint8Array; mimeType: string };

/**
 * Creates a provider for a bucket of Amazon S3, or of a server with its API: https://docs.aws.amazon.com/AmazonS3/latest/API/
 * An image is one object with the whole file, which S3 replaces atomically.
 */
export function createS3Provider(options: S3Options): RemoteStore {
  const { endpoint, bucket, prefix, timeoutMs = 10_000, ...account } = options;

  async function send(method: "GET" | "HEAD" | "PUT" | "DELETE", cid: string, file?: File) {
    const signer = new AwsV4Signer({
      ...account,
      service: "s3",
      method,
      url: `${endpoint}/${bucket}/${prefix}${cid}`,
      headers: {
        // Signed, so that S3 refuses a body that was damaged on the way.
        "x-amz-content-sha256": createHash("sha256")
          .update(file?.bytes ?? "")
          .digest("hex"),
        ...(file && { "content-type": file.mimeType }),
      },
    });
    const { url, headers } = await signer.sign();
    return await requestProvider({
      provider: "s3",
      method,
      url: url.href,
      headers,
      body: file?.bytes as Uint8Array<ArrayBuffer> | undefined,
      timeoutMs,
      maxBytes: imageLimits.bytes,
    });
  }

  /** Sends a request, and once more if S3 fails, as it does now and then (SlowDown). Resolves to undefined if there is no such object. */
  async function call(...request: Parameters<typeof send>) {
    let response = await send(...request);
    if (response.status >= 500) {
      await pause(retryAfterMs);
      response = await send(...request);
    }
    assertAvailable("s3", response);
    const { status, bytes } = response;
    if (status >= 200 && status < 300) return response;
    const reason = bytes.toString("utf8", 0, 500);
    if (status === 404 && !reason.includes("NoSuchBucket")) return undefined;
    throw providerRefused("s3", status, reason);
  }

  return {
    name: "s3",
    async add({ cid, bytes, mimeType }) {
      const stored = await call("PUT", cid, { bytes, mimeType });
      if (stored === undefined)
        throw new ProviderError(502, "s3", "has no such bucket", { maybeStored: false });
      // S3 names what it has stored. Whatever else answers 200, such as a proxy or a console, has stored nothing.
      if (!stored.headers.has("etag")) throw new ProviderError(502, "s3", "gave no ETag");
      return null;
    },

    async remove(cid) {
      await call("DELETE", cid);
    },

    async has(cid, size) {
      const response = await call("HEAD", cid);
      return Number(response?.headers.get("content-length")) === size;
    },

    async read(cid) {
      const response = await call("GET", cid);
      if (response === undefined) return undefined;
      const dag = await buildDag(response.bytes);
      if (dag.root.toString() === cid) return { bytes: response.bytes, dag };
      console.error(`images: ${cid} is damaged in S3`);
      return undefined;
    },
  };
}
