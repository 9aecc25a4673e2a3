import { createHash, createHmac } from "node:crypto";
import { type HttpServer, type Received, type Reply, startHttpServer } from "./http-server.ts";

type S3Account = { region: string; accessKeyId: string; secretAccessKey: string };

export type S3Server = HttpServer & {
  account: S3Account;
  bucket: string;
  objects: Map<string, { bytes: Buffer; type: string | undefined }>;
  calls: string[];
  /** Replies in place of the server's own, before it does anything: each to one request, in this order. */
  faults: Reply[];
};

const maxSkewMs = 15 * 60_000;

/**
 * Implements PutObject, GetObject, HeadObject and DeleteObject of https://docs.aws.amazon.com/AmazonS3/latest/API/ with path-style
 * addresses, and verifies Signature Version 4 as its specification says:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export async function startS3Server({ port = 0, region = "us-east-1" } = {}): Promise<S3Server> {
  const state = {
    account: {
      region,
      accessKeyId: "AKIDEXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    },
    bucket: "images",
    objects: new Map<string, { bytes: Buffer; type: string | undefined }>(),
    calls: [] as string[],
    faults: [] as Reply[],
  };
  const server = await startHttpServer(async (request) => {
    state.calls.push(`${request.method} ${request.url.pathname}`);
    return state.faults.shift() ?? refuse(request, state.account) ?? answer(request, state);
  }, port);
  return Object.assign(state, server);
}

function answer(
  { method, url, headers, body }: Received,
  { bucket, objects }: Omit<S3Server, keyof HttpServer>,
): Reply {
  const [, name, ...rest] = url.pathname.split("/").map(decodeURIComponent);
  if (name !== bucket) return failure(404, "NoSuchBucket");
  const key = rest.join("/");
  if (method === "DELETE") {
    objects.delete(key);
    return { status: 204, body: "" };
  }
  if (method === "PUT") {
    objects.set(key, { bytes: body, type: headers["content-type"] });
    return { status: 200, body: "", headers: { etag: `"${hash("md5", body)}"` } };
  }
  const object = objects.get(key);
  if (object === undefined) return method === "HEAD" ? { status: 404, body: "" } : failure(404, "NoSuchKey");
  const described = {
    "content-length": String(object.bytes.length),
    "content-type": object.type ?? "binary/octet-stream",
  };
  if (method === "GET" || method === "HEAD") return { status: 200, body: object.bytes, headers: described };
  return failure(405, "MethodNotAllowed");
}

/** Returns the refusal of a request that is not signed by the account. */
function refuse({ method, url, headers, body }: Received, account: S3Account): Reply | undefined {
  const header = (name: string) => String(headers[name] ?? "");
  const authorization = Object.fromEntries(
    header("authorization")
      .replace(/^AWS4-HMAC-SHA256 /, "")
      .split(/, ?/)
      .map((part) => part.split(/=(.*)/s)),
  );
  const time = header("x-amz-date");
  const scope = `${time.slice(0, 8)}/${account.region}/s3/aws4_request`;
  if (authorization.Credential !== `${account.accessKeyId}/${scope}`)
    return failure(403, "InvalidAccessKeyId");
  const sentAt = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - sentAt) < maxSkewMs)) return failure(403, "RequestTimeTooSkewed");
  const contentHash = header("x-amz-content-sha256");
  if (contentHash !== hash("sha256", body)) return failure(400, "XAmzContentSHA256Mismatch");

  const signed: string[] = authorization.SignedHeaders?.split(";") ?? [];
  const required = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))];
  if (required.some((name) => !signed.includes(name))) return failure(403, "AccessDenied");
  const canonicalRequest = [
    method,
    url.pathname,
    url.search.slice(1),
    ...signed.map((name) => `${name}:${header(name).trim().replace(/ +/g, " ")}`),
    "",
    signed.join(";"),
    contentHash,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", time, scope, hash("sha256", canonicalRequest)].join("\n");
  const key = scope
    .split("/")
    .reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${account.secretAccessKey}`);
  const signature = hmac(key, toSign).toString("hex");
  if (authorization.Signature !== signature) return failure(403, "SignatureDoesNotMatch");
  return undefined;
}

export function failure(status: number, code: string): Reply {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return { status, body: xml, headers: { "content-type": "application/xml" } };
}

/** The first half of an answer, after which the connection ends. */
export function truncated(bytes: Buffer): Reply {
  return {
    status: 200,
    body: bytes.subarray(0, bytes.length >> 1),
    headers: { "content-length": String(bytes.length), connection: "close" },
  };
}

/** The settings of a provider that uses this server. */
export const s3Settings = ({ url, bucket, account }: S3Server) => ({
  endpoint: url,
  bucket,
  ...account,
  prefix: "launchpad/",
});

/** The settings of a service that uses this server, as environment variables. */
export const s3Environment = ({ url, bucket, account }: S3Server) => ({
  IMAGES_S3_ENDPOINT: url,
  IMAGES_S3_BUCKET: bucket,
  IMAGES_S3_REGION: account.region,
  IMAGES_S3_ACCESS_KEY_ID: account.accessKeyId,
  IMAGES_S3_SECRET_ACCESS_KEY: account.secretAccessKey,
  IMAGES_S3_PREFIX: "launchpad/",
});

const hash = (algorithm: string, data: Buffer | string) => createHash(algorithm).update(data).digest("hex");
const hmac = (key: Buffer | string, data: string) => createHmac("sha256", key).update(data).digest();
