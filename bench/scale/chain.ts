import type { Hex, Log } from "../../chain-access/sources/log.ts";
import { digest, type Event } from "./market.ts";

/** A block with events. */
export type Block = { number: number; logs: Log[] };

/** Blocks behind the head at which a block is final. */
export const finalityBlocks = 30;
export const startBlock = 1;
/** The first block's time, in seconds since 1970. */
const startTime = 1_750_000_000;

/** Numbers and times of blocks, which say everything about a block but its events. */
export function createTimeline(secondsPerBlock: number) {
  const timeOf = (number: number) => startTime + Math.floor(number * secondsPerBlock);
  return {
    timeOf,
    /** Makes a block of its transactions' events. */
    block(number: number, transactions: Event[][]): Block {
      let logIndex = 0;
      const logs = transactions.flatMap((events, index) => {
        const transactionHash: Hex = `0x${digest(`${number} ${index}`)}`;
        return events.map((event) => ({
          ...event,
          blockNumber: toHex(number),
          blockHash: hashOf(number),
          blockTimestamp: toHex(timeOf(number)),
          transactionHash,
          transactionIndex: toHex(index),
          logIndex: toHex(logIndex++),
        }));
      });
      return { number, logs };
    },
  };
}

export type Timeline = ReturnType<typeof createTimeline>;

export const toHex = (value: number): Hex => `0x${value.toString(16)}`;

/** A block's hash has its number at the end. */
export const hashOf = (number: number): Hex =>
  `0x${digest(`block ${number}`).slice(0, 56)}${number.toString(16).padStart(8, "0")}`;

export const numberIn = (hash: Hex): number => Number.parseInt(hash.slice(-8), 16);
