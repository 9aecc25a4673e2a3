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
