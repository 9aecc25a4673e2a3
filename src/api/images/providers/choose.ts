import { createKuboProvider } from "./kubo.ts";
import { createPinataProvider } from "./pinata.ts";
import type { ImageProvider, ProviderName } from "./provider.ts";

/** The configuration of the providers. */
export type ProviderSettings = {
  provider: ProviderName;
  pinata?: { jwt: string; uploadUrl?: string | undefined; apiUrl?: string | undefined } | undefined;
  kubo?: { url: string; token?: string | undefined } | undefined;
};

/**
 * Returns the configured provider (undefined for `local`), and all that we have credentials for, since images may still be at one that
 * was configured before. Throws if the settings of the configured one are missing.
 */
export function chooseProviders({ provider, pinata, kubo }: ProviderSettings): {
  provider: ImageProvider | undefined;
  all: ImageProvider[];
} {
  const all = [
    ...(pinata === undefined ? [] : [createPinataProvider(pinata)]),
    ...(kubo === undefined ? [] : [createKuboProvider(kubo)]),
  ];
  const chosen = all.find(({ name }) => name === provider);
  if (provider !== "local" && chosen === undefined)
    throw new Error(`IMAGE_PROVIDER is ${provider}, whose settings are missing`);
  return { provider: chosen, all };
}
