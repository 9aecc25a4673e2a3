import { BlockList } from "node:net";
import { z } from "zod";
import {
  type EgressSettings,
  hasNoUser,
  integer,
  networks,
  onOrOff,
  proxyUrl,
  readVariables,
  type Variables,
} from "./values.ts";

/** Where uploaded images are stored, and how clients reach them. */
export type ImageSettings = {
  provider: "local" | "kubo" | "pinata" | "s3";
  /** Undefined without credentials. Set for other providers too, since earlier images may still be there. */
  pinata: { jwt: string; uploadUrl: string; apiUrl: string } | undefined;
  kubo: { url: string; token: string | undefined } | undefined;
  s3: S3Settings | undefined;
  /** The URL to which `/<cid>` is appended. */
  gatewayUrl: string;
  /** Bytes for uploads that no registration mentions: of all clients, and of one client. */
  budget: { bytes: number; bytesPerUploader: number };
  /** Bytes of resized images to cache. */
  resizedBytes: number;
  /** Where images may be fetched from whose URLs clients give. Undefined: nowhere. */
  fromUrls: EgressSettings | undefined;
  /** Uploads are refused while the disk has fewer bytes free. */
  minFreeDiskBytes: number;
};

/** A bucket of a server with the API of Amazon S3. */
export type S3Settings = {
  /** The URL to which `/<bucket>/<prefix><cid>` is appended. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  prefix: string;
  /** Bytes of images to keep on the disk, in place of fetching them for each request. */
  cacheBytes: number;
};

const MEGABYTE = 1_024 * 1_024;
/** One client may use this fraction (1/8) of the budget, but at least room for two of the largest images. */
const uploaderShare = 8;
const minBytesPerUploader = 11 * MEGABYTE;

const url = z
  .url({ protocol: /^https?$/, error: "must be an http(s) URL" })
  .refine(hasNoUser, { message: "must not have a user or a password in it" })
  .transform((value) => value.replace(/\/+$/, ""));
// Only what a header can hold; anything else would fail at the first upload instead of now.
const token = z.string().regex(/^[\x21-\x7e]+$/, "must be a token without spaces");

export const imageVariables = z.object({
  IMAGE_PROVIDER: z
    .enum(["local", "kubo", "pinata", "s3"], { error: "must be local, kubo, pinata or s3" })
    .optional(),
  PINATA_JWT: token.optional(),
  PINATA_UPLOAD_URL: url.default("https://uploads.pinata.cloud/v3"),
  PINATA_API_URL: url.default("https://api.pinata.cloud/v3"),
  KUBO_RPC_URL: url.optional(),
  KUBO_RPC_TOKEN: token.optional(),
  IMAGES_S3_ENDPOINT: url.optional(),
  IMAGES_S3_BUCKET: z
    .string()
    .regex(/^[\w.-]{3,63}$/, "must be the name of a bucket")
    .optional(),
  IMAGES_S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, "must be a region, such as us-east-1")
    .default("us-east-1"),
  IMAGES_S3_ACCESS_KEY_ID: token.optional(),
  IMAGES_S3_SECRET_ACCESS_KEY: token.optional(),
  IMAGES_S3_PREFIX: z
    .string()
    .regex(/^\w[\w./-]*$/, "must have letters, digits and _ . / - only, and not begin with /")
    .default(""),
  IMAGES_S3_CACHE_MB: integer(64, 10_000_000).default(1_024),
  IPFS_GATEWAY_URL: url.optional(),
  IMAGES_UNREGISTERED_MB: integer(11, 10_000_000).default(1_024),
  IMAGES_MIN_FREE_DISK_MB: integer(0, 1_000_000_000).default(1_024),
  IMAGES_RESIZED_MB: integer(1, 10_000_000).default(256),
  IMAGES_FROM_URLS: onOrOff.default(false),
  IMAGES_FROM_URLS_PRIVATE_NETWORKS: networks.optional(),
  IMAGES_FROM_URLS_PROXY: proxyUrl.optional(),
});

const s3Required = [
  "IMAGES_S3_ENDPOINT",
  "IMAGES_S3_BUCKET",
  "IMAGES_S3_ACCESS_KEY_ID",
  "IMAGES_S3_SECRET_ACCESS_KEY",
] as const;

/**
 * Reads and checks the variables about images; an empty one counts as unset. The provider is the one whose
 * credentials are set: S3, else Pinata, else Kubo, else local. Adds a line to `problems` for each that is invalid or missing, and then
 * returns undefined. Values are never repeated, since they may be secret.
 */
export function readImageSettings(
  environment: Variables,
  baseUrl: string,
  problems: string[],
): ImageSettings | undefined {
  const values = readVariables(imageVariables, environment, "", problems);
  if (values === undefined) return undefined;
  const s3 = readS3Settings(values, problems);
  const provider =
    values.IMAGE_PROVIDER ??
    (s3 ? "s3" : values.PINATA_JWT ? "pinata" : values.KUBO_RPC_URL ? "kubo" : "local");
  if (provider === "pinata" && values.PINATA_JWT === undefined)
    problems.push("PINATA_JWT is missing: IMAGE_PROVIDER is pinata, so set the key of your Pinata account");
  if (provider === "kubo" && values.KUBO_RPC_URL === undefined)
    problems.push("KUBO_RPC_URL is missing: IMAGE_PROVIDER is kubo, so set where its RPC API is");

  const budgetBytes = values.IMAGES_UNREGISTERED_MB * MEGABYTE;
  return {
    provider,
    pinata:
      values.PINATA_JWT === undefined
        ? undefined
        : { jwt: values.PINATA_JWT, uploadUrl: values.PINATA_UPLOAD_URL, apiUrl: values.PINATA_API_URL },
    kubo:
      values.KUBO_RPC_URL === undefined
        ? undefined
        : { url: values.KUBO_RPC_URL, token: values.KUBO_RPC_TOKEN },
    s3,
    gatewayUrl: values.IPFS_GATEWAY_URL ?? `${baseUrl}/ipfs`,
    budget: {
      bytes: budgetBytes,
      bytesPerUploader: Math.max(minBytesPerUploader, Math.floor(budgetBytes / uploaderShare)),
    },
    resizedBytes: values.IMAGES_RESIZED_MB * MEGABYTE,
    fromUrls: values.IMAGES_FROM_URLS
      ? {
          privateNetworks: values.IMAGES_FROM_URLS_PRIVATE_NETWORKS ?? new BlockList(),
          proxy: values.IMAGES_FROM_URLS_PROXY,
        }
      : undefined,
    minFreeDiskBytes: values.IMAGES_MIN_FREE_DISK_MB * MEGABYTE,
  };
}

/** Returns undefined if nothing of S3 is set and it isn't chosen, and also if something is missing, which is added to `problems`. */
function readS3Settings(values: z.infer<typeof imageVariables>, problems: string[]): S3Settings | undefined {
  const endpoint = values.IMAGES_S3_ENDPOINT;
  const bucket = values.IMAGES_S3_BUCKET;
  const accessKeyId = values.IMAGES_S3_ACCESS_KEY_ID;
  const secretAccessKey = values.IMAGES_S3_SECRET_ACCESS_KEY;
  if (endpoint && bucket && accessKeyId && secretAccessKey)
    return {
      endpoint,
      bucket,
      region: values.IMAGES_S3_REGION,
      accessKeyId,
      secretAccessKey,
      prefix: values.IMAGES_S3_PREFIX,
      cacheBytes: values.IMAGES_S3_CACHE_MB * MEGABYTE,
    };
  const missing = s3Required.filter((name) => values[name] === undefined);
  if (values.IMAGE_PROVIDER === "s3" || missing.length < s3Required.length)
    for (const name of missing) problems.push(`${name} is missing: images in S3 need it`);
  return undefined;
}
