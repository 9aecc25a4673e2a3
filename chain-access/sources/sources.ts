import { eventTopics } from "./events.ts";
import type { Hex, Log } from "./log.ts";

/** A chain's contracts from the settings. Addresses are in lower case. */
export type Sources = {
  chainId: number;
  tokenFactory: Hex;
  launchpad: Hex;
  priceFeeds: readonly Hex[];
  /** The block in which the factory was deployed. */
  startBlock: number;
  /** The block from which the price feeds are read, which is earlier. */
  feedStartBlock: number;
};

const { tokenCreated, curveOpened, trade, graduated, answerUpdated } = eventTopics;

/** The events of the contracts in the settings. */
export const staticTopics: readonly Hex[] = [tokenCreated, curveOpened, trade, graduated, answerUpdated];

/** The events of child contracts: the tokens and pairs. */
export const tokenTopics: readonly Hex[] = [eventTopics.transfer];
/** A pair's transfers are those of its liquidity tokens. */
export const pairTopics: readonly Hex[] = [
  eventTopics.sync,
  eventTopics.swap,
  eventTopics.mint,
  eventTopics.burn,
  eventTopics.transfer,
];
export const childTopics: readonly Hex[] = [...new Set([...tokenTopics, ...pairTopics])];

/** Maps each contract in the settings to its indexed events. */
export function staticEvents({ tokenFactory, launchpad, priceFeeds }: Sources): Map<Hex, readonly Hex[]> {
  return new Map([
    [tokenFactory, [tokenCreated]],
    [launchpad, [curveOpened, trade, graduated]],
    ...priceFeeds.map((feed): [Hex, Hex[]] => [feed, [answerUpdated]]),
  ]);
}

/** A contract whose events are indexed from the block in which another contract's event announced it. */
export type Child =
  | { type: "token"; address: Hex; block: number }
  | { type: "pair"; address: Hex; block: number; token: Hex };

/** Returns the token that a log announces, or the DEX pair of a graduation. */
export function childFromLog({ tokenFactory, launchpad }: Sources, log: Log): Child | undefined {
  const address = log.address.toLowerCase();
  const [topic] = log.topics;
  const block = Number(log.blockNumber);
  if (address === tokenFactory && topic === tokenCreated)
    return { type: "token", address: addressIn(log.topics[1]), block };
  if (address === launchpad && topic === graduated)
    return { type: "pair", address: addressIn(log.topics[2]), block, token: addressIn(log.topics[1]) };
  return undefined;
}

/** Returns the tokens and pairs that a log of the factory or the launchpad is about. They have events in the same block. */
export function namedBy({ tokenFactory, launchpad }: Sources, { address, topics }: Log): Hex[] {
  const contract = address.toLowerCase();
  if (contract !== tokenFactory && contract !== launchpad) return [];
  const named = topics[0] === graduated ? topics.slice(1, 3) : topics.slice(1, 2);
  return named.map(addressIn);
}

export const addressIn = (topic: Hex = "0x"): Hex => `0x${topic.slice(-40).toLowerCase()}`;
