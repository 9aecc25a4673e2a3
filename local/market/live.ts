import type { Address, Hex } from "viem";
import { ignore, pause } from "../../config/async.ts";
import type { LocalDeployment } from "../chain-files.ts";
import { createActions } from "./actions.ts";
import { fundTraders } from "./history.ts";
import { openPriceFeed } from "./price-feed.ts";
import { createRandom } from "./random.ts";
import { createRegistrar } from "./registrar.ts";
import { createRpc, createSender } from "./rpc.ts";
import { createTraders } from "./traders.ts";
import { createMarketView } from "./view.ts";

export type LiveOptions = {
  rpcUrl: string;
  deployment: LocalDeployment;
  /** The API at which tokens are registered. */
  apiUrl: string;
  /** Called once the existing tokens are registered and trading begins. */
  onOpen: () => void;
  signal: AbortSignal;
};

/** Average milliseconds between transactions. */
const meanPauseMs = 1_000;
/** The probability that the price feed answers along with a trade (0 to 1): about once every ten seconds. */
const answerChance = 0.1;

/** After this many failures in a row, the node or the API counts as gone. */
const maxFailures = 10;

/**
 * Trades about once a second until the signal aborts, registers the tokens that are created, and moves the price of BNB.
 * A trade that the node rejects is skipped. Throws if it rejects everything, or if the node or the API can't be reached.
 */
export async function runLiveMarket({
  rpcUrl,
  deployment,
  apiUrl,
  onOpen,
  signal,
}: LiveOptions): Promise<void> {
  const rpc = createRpc(rpcUrl);
  // Seeded with the chain's head: reproducible for the same chain, but different after a restart.
  const [head] = await rpc<[Hex]>([["eth_blockNumber"]]);
  const random = createRandom(Number(head));
  const send = createSender(rpc);
  const view = createMarketView(rpc);
  const traders = createTraders(view, createActions(deployment, random), random);

  const registerAll = createRegistrar(apiUrl, signal);
  const feed = await openPriceFeed(rpc, deployment.priceFeed, random);

  await fundTraders(rpcUrl);
  // The last answer may be days old.
  await send([feed.answer()]);
  let failures = 0;
  let isOpen = false;
  let isRegistering = false;
  while (!signal.aborted) {
    try {
      await view.refresh();
      if (!isOpen) {
        await registerAll(view.tokens.values());
        onOpen();
        isOpen = true;
      } else if (!isRegistering) {
        // The API may be unavailable for a moment while it reloads an edited file, or with RATE_LIMIT=on make the market wait.
        isRegistering = true;
        void registerAll(view.tokens.values())
          .catch(ignore)
          .finally(() => {
            isRegistering = false;
          });
      }
      const answer = random.chance(answerChance) ? [feed.answer()] : [];
      await send([...answer, ...traders.act(new Set<Address>(), 0.03)]);
      failures = 0;
    } catch (error) {
      if (++failures >= maxFailures) throw error;
    }
    await pause(2 * meanPauseMs * random.fraction(), signal);
  }
}
