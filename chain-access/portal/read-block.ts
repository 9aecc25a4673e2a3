import { z } from "zod";
import { parseJson } from "../../config/parse.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { numberToHex } from "../hex.ts";
import { type Hex, type Log, maxIndex } from "../sources/log.ts";

/** A block of the portal's answer with its matching logs, if any. */
export type PortalBlock = { number: number; hash: Hex; logs: Log[] };

const index = z.int().nonnegative().max(maxIndex);
const bytes = (pattern: string) =>
  z
    .string()
    .regex(new RegExp(`^0x${pattern}$`, "i"))
    .transform((value) => value.toLowerCase() as Hex);
const hash = bytes("[0-9a-f]{64}");
const address = bytes("[0-9a-f]{40}");

const line = z.object({
  header: z.object({
    number: index,
    hash,
    // Seconds. The maximum rejects milliseconds.
    timestamp: z.int().positive().max(100_000_000_000),
  }),
  logs: z
    .array(
      z.object({
        address,
        topics: z.array(hash).max(4),
        data: bytes("([0-9a-f]{2})*"),
        logIndex: index,
        transactionIndex: index,
        transactionHash: hash,
      }),
    )
    .default([]),
});

/**
 * Reads a line of the portal's answer.
 *
 * @throws EndpointFault of kind "wrong" if it is not a block
 */
export function readBlock(text: string): PortalBlock {
  const { data, error } = line.safeParse(parseJson(text));
  if (data === undefined) throw new EndpointFault("wrong", `a line that is no block: ${reasonOf(error)}`);
  const { header, logs } = data;
  const ofBlock = {
    blockNumber: numberToHex(header.number),
    blockHash: header.hash,
    blockTimestamp: numberToHex(header.timestamp),
  };
  return {
    number: header.number,
    hash: header.hash,
    logs: logs.map(({ logIndex, transactionIndex, ...log }) => ({
      ...log,
      ...ofBlock,
      logIndex: numberToHex(logIndex),
      transactionIndex: numberToHex(transactionIndex),
    })),
  };
}

function reasonOf({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? "" : `${issue.path.join(".") || "it"}: ${issue.message}`;
}
