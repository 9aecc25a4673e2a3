import { bounded } from "../../chain-access/rpc-client.ts";

/** Ponder's options that have no setting. Ponder sets them before it loads ponder.config.ts. */
type PonderOptions = { factoryAddressCountThreshold: number; syncEventsQuerySize: number };

const { PONDER_COMMON } = globalThis as { PONDER_COMMON?: { options: PonderOptions } };

/**
 * Above `maxFilteredTokens` (Ponder's default: 1,000), historical sync requests the Transfer logs of every contract on the
 * chain. Ponder writes changed rows after each batch of events, so with larger batches a row that changes constantly, such as a
 * curve, is written less often.
 */
export function setPonderOptions({ maxFilteredTokens }: { maxFilteredTokens: number }): void {
  if (PONDER_COMMON === undefined) return;
  PONDER_COMMON.options.factoryAddressCountThreshold = maxFilteredTokens;
  PONDER_COMMON.options.syncEventsQuerySize = 192_000;
}

/** More bytes than any block, its receipts or its logs have. */
const defaultMaxBytes = 128 * 1_024 * 1_024;

const original = Symbol.for("launchpad.fetch");
type Global = typeof globalThis & { [original]?: typeof fetch };

/**
 * Ponder uses the global `fetch`, which follows redirects and reads responses of any length, and has no settings for either.
 * So this replaces it with one that, for these endpoints, refuses redirects and cuts off responses that are too long.
 */
export function guardFetch(endpoints: string[], maxBytes = defaultMaxBytes): void {
  const origins = new Set(endpoints.map((url) => new URL(url).origin));
  const global = globalThis as Global;
  // In development Ponder loads its config repeatedly.
  global[original] ??= global.fetch;
  const unguarded = global[original];

  global.fetch = async (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    if (!origins.has(origin)) return await unguarded(input, init);
    return await bounded(await unguarded(input, { ...init, redirect: "error" }), maxBytes);
  };
}
