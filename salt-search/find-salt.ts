import {
  type Address,
  concatBytes,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  hexToBytes,
  isAddress,
  isHash,
} from "viem";
import { loadKernel } from "./kernel.ts";
import { matchesPattern, type Pattern, parsePattern } from "./pattern.ts";
import { createSaltPool, type SaltPool } from "./pool.ts";
import type { Salt } from "./salt-search.ts";

type SaltQuery = Partial<Pattern> & {
  /** The contract that will use CREATE2. */
  deployer: Address;
  /** keccak256 of the init code: creation code and constructor arguments. */
  initCodeHash: Hex;
  /** What the salt begins with. Default: anything. */
  saltPrefix?: Address | undefined;
  /** Aborts the search, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Identifies the client if the pool is shared. */
  client?: string;
  /** Whether to accept the address; otherwise the search continues. Default: always. */
  accept?: (address: Address) => boolean | Promise<boolean>;
  /** Default: one pool for the whole process. */
  pool?: SaltPool;
};

/** `address` is in lower case. */
export type FoundSalt = { salt: Salt; address: Address };

let sharedPool: SaltPool | undefined;

/**
 * Finds a salt with which `deployer` creates a contract by CREATE2 whose address begins with `prefix` and ends with `suffix`.
 * The search starts at a random salt (256 bits, or 96 after a prefix), so no two callers get the same one. Every further digit takes 16 times as long.
 *
 * Throws PatternError or TypeError for invalid arguments, and the errors of SaltPool.search.
 *
 * @example
 * const { salt, address } = await findSalt({ deployer, initCodeHash, suffix: "5afe" });
 */
export async function findSalt({
  deployer,
  initCodeHash,
  saltPrefix,
  ...query
}: SaltQuery): Promise<FoundSalt> {
  if (!isAddress(deployer, { strict: false })) throw new TypeError(`Not an address: ${deployer}`);
  if (!isHash(initCodeHash)) throw new TypeError(`Not a hash of 32 bytes: ${initCodeHash}`);
  if (saltPrefix !== undefined && !isAddress(saltPrefix, { strict: false })) {
    throw new TypeError(`Not 20 bytes: ${saltPrefix}`);
  }
  const { signal, client, accept = () => true } = query;
  const pattern = parsePattern(query);
  sharedPool ??= query.pool === undefined ? createSaltPool() : undefined;
  const pool = query.pool ?? (sharedPool as SaltPool);

  for (;;) {
    const salt = await pool.search({ deployer, initCodeHash, pattern, saltPrefix }, { signal, client });
    const from = deployer.toLowerCase() as Address;
    const created = getContractAddress({ opcode: "CREATE2", from, salt, bytecodeHash: initCodeHash });
    const address = created.toLowerCase() as Address;
    if (!matchesPattern(address, pattern)) {
      throw new Error(`The salt search is wrong: ${salt} gives ${address}, which is not of the pattern`);
    }
    const isAccepted = await accept(address);
    signal?.throwIfAborted();
    if (isAccepted) return { salt, address };
  }
}

/** Returns keccak256 of a token's creation code and constructor arguments, on which its address depends. */
type InitCodeHasher = (creationCode: Uint8Array, name: string, symbol: string) => Hex;

/** Creates a hasher with its own kernel, because viem would block the event loop for half a millisecond each time. */
export function createInitCodeHasher(): InitCodeHasher {
  const kernel = loadKernel("scalar");
  return (creationCode, name, symbol) => {
    const parameters = encodeAbiParameters([{ type: "string" }, { type: "string" }], [name, symbol]);
    const hash = kernel.hash(concatBytes([creationCode, hexToBytes(parameters)]));
    return `0x${Buffer.from(hash).toString("hex")}`;
  };
}
