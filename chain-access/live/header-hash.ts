import * as Rlp from "ox/Rlp";
import { isHex, keccak256 } from "../hex.ts";
import type { Hex } from "../sources/log.ts";
import type { Header } from "./block.ts";

/** A header's fields in the order in which they are hashed (EIP-7685 and before). BNB Smart Chain has the same. */
const fields = [
  ...["parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom"],
  ...["difficulty", "number", "gasLimit", "gasUsed", "timestamp", "extraData", "mixHash", "nonce"],
];
/** Added by forks. Blocks before a fork lack them. */
const laterFields = [
  ...["baseFeePerGas", "withdrawalsRoot", "blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot"],
  "requestsHash",
];
const numbers = new Set([
  ...["difficulty", "number", "gasLimit", "gasUsed", "timestamp"],
  ...["baseFeePerGas", "blobGasUsed", "excessBlobGas"],
]);

/** Computes a header's hash from its fields. Undefined if one is missing or is no hex. */
export function hashHeader(header: Header): Hex | undefined {
  const names = [...fields, ...laterFields.filter((name) => header[name] != null)];
  const values = names.map((name) => encodeField(name, header[name]));
  if (!values.every((value) => value !== undefined)) return undefined;
  return `0x${Buffer.from(keccak256(Rlp.fromHex(values))).toString("hex")}`;
}

function encodeField(name: string, value: unknown): Hex | undefined {
  if (!isHex(value)) return undefined;
  if (!numbers.has(name)) return value.length % 2 === 0 ? value : undefined;
  // Numbers are hashed without leading zeros, and 0 as nothing.
  const digits = value.slice(2).replace(/^0+/, "");
  return digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`;
}

/**
 * How often an endpoint is asked again for a header that doesn't have its hash, before the chain is believed to hash otherwise. With the
 * pauses between, this has to fit into the time for reading a header.
 */
const maxDoubts = 2;

/**
 * Finds headers that don't have their hash: an endpoint has changed them, and time or bloom may be wrong. A chain may begin to hash
 * other fields at any time, so a header that all endpoints repeat is believed, and from then on all, until one has its hash again.
 */
export function createHeaderCheck() {
  let isChecking = true;

  function isFalse(header: Header): boolean {
    const hash = hashHeader(header);
    if (hash === header.hash) isChecking = true;
    return isChecking && hash !== undefined && hash !== header.hash;
  }

  return {
    /** Whether the header has to be read again. */
    isFalse,

    /** Believes a header that was read again. */
    accept(header: Header): void {
      if (isFalse(header)) isChecking = false;
    },

    /** Creates a function that returns whether an endpoint is to be asked again for its header, or another endpoint. */
    createDoubt(): (header: Header, endpoint: object) => boolean {
      const doubts = new Map<object, number>();
      return (header, endpoint) => {
        if (!isFalse(header)) return false;
        const count = (doubts.get(endpoint) ?? 0) + 1;
        doubts.set(endpoint, count);
        return count <= maxDoubts;
      };
    },
  };
}
