import { startLaunchpadChain } from "../../chain/launchpad-chain.ts";
import { fillTables } from "../../service/filled-tables.ts";
import { serveChains } from "../../service/served-chains.ts";

export type TablesServed = Awaited<ReturnType<typeof serveTables>>;

/** Serves a chain with one token. The tables stay small until they are filled with a random market and many off-chain rows. */
export async function serveTables() {
  const chain = await startLaunchpadChain();
  await chain.create(chain.traders[0], "Brave Otter", "OTTER");
  const served = await serveChains([chain]);
  let filled: Promise<void> | undefined;

  async function fill(): Promise<void> {
    await chain.trade(7, { blocks: 30, actionsPerBlock: 10, creations: 0.02 });
    await served.untilIndexed();
    await fillTables(served.service.database.url);
  }

  return {
    service: served.service,
    /** Resolves once the tables are large. */
    untilLarge: () => (filled ??= fill()),
  };
}
