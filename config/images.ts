import { z } from "zod";
import { hasNoUser, integer, readVariables, type Variables } from "./values.ts";

/** Where uploaded images are stored, and how clients reach them. */
export type ImageSettings = {
  provider: "local" | "kubo" | "pinata";
  /** Undefined without credentials. Set for other providers too, since earlier images may still be there. */
  pinata: { jwt: string; uploadUrl: string; apiUrl: string } | undefined;
  kubo: { url: string; token: string | undefined } | undefined;
  /** The URL to which `/<cid>` is appended. */
  gatewayUrl: string;
  /** Bytes for uploads that no registration mentions: of all clients, and of one client. */
  budget: { bytes: number; bytesPerUploader: number };
  /** Bytes of resized images to cache. */
  resizedBytes: number;
  /** Uploads are refused while the disk has fewer bytes free. */
  minFreeDiskBytes: number;
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
  IMAGE_PROVIDER: z.enum(["local", "kubo", "pinata"], { error: "must be local, kubo or pinata" }).optional(),
  PINATA_JWT: token.optional(),
  PINATA_UPLOAD_URL: url.default("https://uploads.pinata.cloud/v3"),
  PINATA_API_URL: url.default("https://api.pinata.cloud/v3"),
  KUBO_RPC_URL: url.optional(),
  KUBO_RPC_TOKEN: token.optional(),
  IPFS_GATEWAY_URL: url.optional(),
  IMAGES_UNREGISTERED_MB: integer(11, 10_000_000).default(1_024),
  IMAGES_MIN_FREE_DISK_MB: integer(0, 1_000_000_000).default(1_024),
  IMAGES_RESIZED_MB: integer(1, 10_000_000).default(256),
});

/**
 * Reads and checks the variables about images; an empty one counts as unset. The provider is the one whose
 * credentials are set: Pinata, else Kubo, else local. Adds a line to `problems` for each that is invalid or missing, and then
 * returns undefined. Values are never repeated, since they may be secret.
 */
export function readImageSettings(
  environment: Variables,
  baseUrl: string,
  problems: string[],
): ImageSettings | undefined {
  const values = readVariables(imageVariables, environment, "", problems);
  if (values === undefined) return undefined;
  const provider =
    values.IMAGE_PROVIDER ?? (values.PINATA_JWT ? "pinata" : values.KUBO_RPC_URL ? "kubo" : "local");
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
    gatewayUrl: values.IPFS_GATEWAY_URL ?? `${baseUrl}/ipfs`,
    budget: {
      bytes: budgetBytes,
      bytesPerUploader: Math.max(minBytesPerUploader, Math.floor(budgetBytes / uploaderShare)),
    },
    resizedBytes: values.IMAGES_RESIZED_MB * MEGABYTE,
    minFreeDiskBytes: values.IMAGES_MIN_FREE_DISK_MB * MEGABYTE,
  };
}
