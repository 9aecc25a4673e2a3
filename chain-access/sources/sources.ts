import { eventTopics } from "./events.ts";
import type { Hex, Log } from "./log.ts";

/** The contracts of a chain that are known from the settings. Addresses are lower-case. */
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

/** The events of the contracts that the settings name. */
export const staticTopics: readonly Hex[] = [tokenCreated, curveOpened, trade, graduated, answerUpdated];

/** The events of the contracts that others create. */
export const tokenTopics: readonly Hex[] = [eventTopics.transfer];
export const pairTopics: readonly Hex[] = [
  eventTopics.sync,
  eventTopics.swap,
  eventTopics.mint,
  eventTopics.burn,
];
export const childTopics: readonly Hex[] = [...tokenTopics, ...pairTopics];

/** The contracts that the settings name, and of each the events that are indexed. */
export function staticEvents({ tokenFactory, launchpad, priceFeeds }: Sources): Map<Hex, readonly Hex[]> {
  return new Map([
    [tokenFactory, [tokenCreated]],
    [launchpad, [curveOpened, trade, graduated]],
    ...priceFeeds.map((feed): [Hex, Hex[]] => [feed, [answerUpdated]]),
  ]);
}

/** A contract whose events are indexed from the block on in which another contract's event named it. */
export type Child = { type: "token" | "pair"; address: Hex; block: number };

/** The token that a log created, or the DEX pair to which it graduated. */
export function childOf({ tokenFactory, launchpad }: Sources, log: Log): Child | undefined {
  const address = log.address.toLowerCase();
  const [topic] = log.topics;
  const block = Number(log.blockNumber);
  if (address === tokenFactory && topic === tokenCreated)
    return { type: "token", address: addressIn(log.topics[1]), block };
  if (address === launchpad && topic === graduated)
    return { type: "pair", address: addressIn(log.topics[2]), block };
  return undefined;
}

const addressIn = (topic: Hex = "0x"): Hex => `0x${topic.slice(-40).toLowerCase()}`;
