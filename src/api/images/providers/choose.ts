import { createKuboProvider } from "./kubo.ts";
import { createPinataProvider } from "./pinata.ts";
import type { ImageProvider, ProviderName, RemoteStore } from "./provider.ts";
import { createS3Provider, type S3Options } from "./s3.ts";

/** The configuration of the providers. */
export type ProviderSettings = {
  provider: ProviderName;
  pinata?: { jwt: string; uploadUrl?: string | undefined; apiUrl?: string | undefined } | undefined;
  kubo?: { url: string; token?: string | undefined } | undefined;
  s3?: S3Options | undefined;
};

/**
 * Returns the configured provider (undefined for `local`), and all that we have credentials for, since images may still be at one that
 * was configured before; `remote` is the one among them that can be read. Throws if the settings of the configured one are missing.
 */
export function chooseProviders({ provider, pinata, kubo, s3 }: ProviderSettings): {
  provider: ImageProvider | undefined;
  all: ImageProvider[];
  remote: RemoteStore | undefined;
} {
  const remote = s3 && createS3Provider(s3);
  const all = [
    ...(pinata === undefined ? [] : [createPinataProvider(pinata)]),
    ...(kubo === undefined ? [] : [createKuboProvider(kubo)]),
    ...(remote === undefined ? [] : [remote]),
  ];
  const chosen = all.find(({ name }) => name === provider);
  if (provider !== "local" && chosen === undefined)
    throw new Error(`IMAGE_PROVIDER is ${provider}, whose settings are missing`);
  return { provider: chosen, all, remote };
}
