import type { LaunchpadChain } from "../chain/launchpad-chain.ts";
import { atEndOfFile } from "../run/end-of-file.ts";
import { createRestClient } from "./rest-client.ts";
import { type Service, startService } from "./service.ts";

/**
 * A service that indexes these chains, shared by the parts of a test file, because starting it takes longer than most of them. The
 * service and the chains end with the file.
 */
export async function serveChains(chains: LaunchpadChain[], options?: Parameters<typeof startService>[1]) {
  let started: Service | undefined;
  atEndOfFile(async () => {
    await started?.stop();
    await Promise.all(chains.map((chain) => chain.stop()));
  });
  const service = await startService(chains, options);
  started = service;
  await service.indexer.untilReady();
  /** Resolves once everything that is on the chains now is indexed. */
  const untilIndexed = async (...some: LaunchpadChain[]) => {
    for (const chain of some.length > 0 ? some : chains) {
      await service.indexer.untilIndexed(chain.chainId, await chain.head());
    }
  };
  await untilIndexed();
  return { service, rest: await createRestClient(service.indexer.url), untilIndexed };
}
