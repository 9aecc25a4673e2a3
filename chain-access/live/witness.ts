import { numberToHex } from "../hex.ts";
import type { Hex, Log } from "../sources/log.ts";
import { LacksBlock } from "./ask.ts";
import { type Bloom, isInBloom } from "./bloom.ts";

/**
 * A contract whose log shows that an endpoint has a block's logs. BNB Smart Chain itself calls the validators' contract in the last
 * transaction of each block with fees, and it emits `validatorDeposit(address,uint256)`. Asked for together with ours, it costs
 * one log; asking for all logs of a block instead costs hundreds.
 */
export const witness = {
  address: "0x0000000000000000000000000000000000001000",
  topic: "0x93a090ecc682c002995fad3c85b30c5651d7fd29b0be5da9d784a3302aedc055",
} as const satisfies { address: Hex; topic: Hex };

/** Whether a block has the witness's log, unless its bloom matches by chance. Other chains have no such contract. */
export const isWitnessed = (bloom: Bloom): boolean =>
  isInBloom(bloom, witness.address) && isInBloom(bloom, witness.topic);

export const isOfWitness = ({ address }: Log): boolean => address.toLowerCase() === witness.address;

/** Asks for the witness's log of a block by number: it shows that an endpoint has the block and its logs, and on which branch. */
export function witnessCall(number: number) {
  const block = numberToHex(number);
  const { address, topic } = witness;
  return { method: "eth_getLogs", params: [{ address, topics: [topic], fromBlock: block, toBlock: block }] };
}

/** @throws LacksBlock unless the answer is of the block with this hash */
export function checkWitness(answer: unknown, hash: Hex): void {
  const logs = Array.isArray(answer) ? (answer as Log[]) : [];
  if (!logs.some((log) => isOfWitness(log) && log.blockHash === hash)) throw new LacksBlock();
}
