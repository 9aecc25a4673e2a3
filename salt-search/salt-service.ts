import { type Address, type Hex, hexToBytes, zeroAddress } from "viem";
import { createInitCodeHasher, type FoundSalt, findSalt } from "./find-salt.ts";
import type { SaltPool } from "./pool.ts";

/** The lengths that the factory accepts, in bytes of UTF-8. */
export const nameBytes = { min: 1, max: 64 };
export const symbolBytes = { min: 1, max: 16 };

/** The factory would refuse the name or symbol. */
export class TokenTextError extends Error {
  override name = "TokenTextError";
  readonly field: "name" | "symbol";

  constructor(field: "name" | "symbol", problem: string) {
    super(`The ${field} ${problem}`);
    this.field = field;
  }
}

type SaltServiceDeps = {
  pool: SaltPool;
  /** The TokenFactory of each configured chain. */
  tokenFactories: ReadonlyMap<number, Address>;
  /** Reads `TokenFactory.tokenCreationCode()`. Called once per chain, and again only after a failure. */
  readCreationCode: (chainId: number) => Promise<Hex>;
  /** Whether a contract is already known at the address. Default: none is. */
  isKnown?: (chainId: number, address: Address) => Promise<boolean>;
};

export type TokenSaltQuery = {
  chainId: number;
  name: string;
  symbol: string;
  suffix: string;
  prefix?: string;
  /** The account that will create the token: the only one that can use the salt. Default: anyone can. */
  creator?: Address | undefined;
  signal?: AbortSignal;
  /** Identifies the client. */
  client?: string;
};

/**
 * Finds salts for `TokenFactory.createTokenWithSalt`.
 *
 * @example
 * const { salt, address } = await service.find({ chainId: 56, name: "Brave Otter", symbol: "OTTER", suffix: "5afe" });
 */
export function createSaltService({ pool, tokenFactories, readCreationCode, isKnown }: SaltServiceDeps) {
  const hashInitCode = createInitCodeHasher();
  const creationCodes = new Map<number, Promise<Uint8Array>>();

  function creationCode(chainId: number): Promise<Uint8Array> {
    const cached = creationCodes.get(chainId);
    if (cached !== undefined) return cached;
    const reading = readCreationCode(chainId).then((code) => hexToBytes(code));
    creationCodes.set(chainId, reading);
    reading.catch(() => creationCodes.delete(chainId));
    return reading;
  }

  return {
    /**
     * Rejects with TokenTextError, and with the errors of reading the creation code and of findSalt. The chain must be one of
     * `tokenFactories`.
     */
    async find({ chainId, name, symbol, creator, ...query }: TokenSaltQuery): Promise<FoundSalt> {
      checkTokenText(name, symbol);
      const deployer = tokenFactories.get(chainId);
      if (deployer === undefined) throw new TypeError(`There is no TokenFactory on chain ${chainId}`);
      const initCodeHash = hashInitCode(await creationCode(chainId), name, symbol);
      return await findSalt({
        ...query,
        deployer,
        initCodeHash,
        // The factory takes the first 20 bytes for the account that the salt is bound to, unless they are zero.
        saltPrefix: creator ?? zeroAddress,
        pool,
        accept: async (address) => !(await isKnown?.(chainId, address)),
      });
    },
  };
}

/** Throws {@link TokenTextError} if the factory would refuse the name or the symbol. */
export function checkTokenText(name: string, symbol: string): void {
  checkText("name", name, nameBytes);
  checkText("symbol", symbol, symbolBytes);
}

function checkText(field: "name" | "symbol", text: string, { min, max }: typeof nameBytes): void {
  // A lone surrogate can't be encoded in UTF-8, and would silently become another character.
  if (!text.isWellFormed()) throw new TokenTextError(field, "is not well-formed Unicode");
  const length = Buffer.byteLength(text);
  if (length < min || length > max) {
    throw new TokenTextError(field, `must have ${min} to ${max} bytes of UTF-8; it has ${length}`);
  }
}
