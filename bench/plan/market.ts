import { createRandom } from "../../local/market/random.ts";

export type MarketSize = {
  /** About how many tokens are created. */
  tokens: number;
  /** About how many events each token has, of all contracts. */
  eventsPerToken: number;
  /** Over how many blocks they are spread. */
  blocks: number;
};

/** Events of one transaction: of the contracts in the settings, and of tokens and pairs, by their number. */
type Action = { block: number; static: number; emitted: { child: number; logs: number }[] };

export type Market = {
  /** The blocks in which tokens and pairs were created, by their number. */
  created: number[];
  blocks: number;
  events: number;
  /** Calls back with each transaction of a range of blocks, in order. */
  each: (from: number, to: number, visit: (action: Action) => void) => void;
};

const seed = 5_657;
const eventsPerAction = 2.6;
/** Trades after which a token graduates. */
const tradesOnCurve = 40;

/**
 * Creates a market whose activity is drawn as in `bench:scale`: one half is in the newest tokens, the other in those that are popular
 * for good, in inverse proportion to their rank.
 */
export function createMarket({ tokens, eventsPerToken, blocks }: MarketSize): Market {
  const random = createRandom(seed);
  const count = Math.round((tokens * eventsPerToken) / eventsPerAction);
  const blockOf = (action: number) => Math.floor((action * blocks) / count);
  const firstOf = (block: number) => Math.min(count, Math.ceil((block * count) / blocks));
  const [tokenOf, pairOf] = [new Int32Array(count).fill(-1), new Int32Array(count).fill(-1)];
  /** 0: a creation, 1: a trade on the curve, 2: a trade on the DEX, 3: a transfer. */
  const kinds = new Uint8Array(count);
  const created: number[] = [];
  const listed: { token: number; pair: number; trades: number }[] = [];
  let events = 0;
  for (let action = 0; action < count; action++) {
    if (listed.length === 0 || random.chance(tokens / count)) {
      listed.push({ token: created.length, pair: -1, trades: 0 });
      tokenOf[action] = created.length;
      created.push(blockOf(action));
      events += 4;
      continue;
    }
    const rank = Math.floor((listed.length + 1) ** random.fraction()) - 1;
    const one = listed[random.chance(0.5) ? rank : listed.length - 1 - rank];
    if (one === undefined) throw new Error("no such token");
    tokenOf[action] = one.token;
    if (random.chance(0.05)) kinds[action] = 3;
    else if (one.pair >= 0) kinds[action] = 2;
    else kinds[action] = 1;
    pairOf[action] = one.pair;
    events += [0, 2, 3, 1][kinds[action] as number] as number;
    if (kinds[action] === 1 && ++one.trades === tradesOnCurve) {
      one.pair = created.length;
      created.push(blockOf(action));
    }
  }

  return {
    created,
    blocks,
    events,
    each(from, to, visit) {
      for (let action = firstOf(from); action < firstOf(to + 1); action++) {
        const kind = kinds[action];
        const emitted = [{ child: tokenOf[action] as number, logs: kind === 0 ? 2 : 1 }];
        if (kind === 2) emitted.push({ child: pairOf[action] as number, logs: 2 });
        visit({ block: blockOf(action), static: kind === 0 ? 2 : kind === 1 ? 1 : 0, emitted });
      }
    },
  };
}
