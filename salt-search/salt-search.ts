import { randomFillSync } from "node:crypto";
import {
  baseAt,
  baseStride,
  candidateBits,
  counterLane,
  entriesAt,
  entryBits,
  entryCount,
  stateSize,
  stepBits,
  stepBitsAt,
  stepCount,
} from "./kernel/layout.ts";
import { type Kernel, messageLength } from "./kernel.ts";
import { kernelFilter, matchesPattern, type Pattern } from "./pattern.ts";

/** The CREATE2 address to search for. */
export type SearchTask = {
  /** 0x and 40 hexadecimal digits. */
  deployer: string;
  /** 0x and 64 hexadecimal digits. */
  initCodeHash: string;
  pattern: Pattern;
  /** What salts begin with: 0x and 40 hexadecimal digits. Default: anything, at random. */
  saltPrefix?: string | undefined;
};

/** 0x and 64 hexadecimal digits. */
export type Salt = `0x${string}`;

export type SaltSearch = ReturnType<typeof createSearch>;

const saltAt = 21;
const prefixLength = 20;
const stateWords = stateSize / 4;

export function saltsPerStep(kernel: Kernel): number {
  return entryCount * kernel.candidates;
}

/**
 * A search on one kernel. It starts at a random salt (256 bits, or 96 after a prefix) and draws another one after testing the three
 * million salts around it, so that no two searches overlap.
 */
export function createSearch(kernel: Kernel, { deployer, initCodeHash, pattern, saltPrefix }: SearchTask) {
  const { mask, target, search } = kernelFilter(pattern);
  const area = kernel.takeArea();
  const base = new Uint32Array(kernel.memory.buffer, area + baseAt, (25 * baseStride) / 4);
  const message = new Uint8Array(messageLength);
  message[0] = 0xff;
  message.set(parseBytes(deployer, 20), 1);
  message.set(parseBytes(initCodeHash, 32), 53);
  const prefix = saltPrefix === undefined ? [] : parseBytes(saltPrefix, prefixLength);
  message.set(prefix, saltAt);
  let nextStep = stepCount;

  function drawSalt(): void {
    randomFillSync(message, saltAt + prefix.length, 32 - prefix.length);
    const origin = expand();
    const changes = (bits: readonly number[]) => bits.map((bit) => difference(origin, expand(bit)));

    const entries = subsetSums(changes(entryBits));
    for (const [index, entry] of entries.entries()) writeState(entriesAt + stateSize * index, entry);
    for (const [index, change] of changes(stepBits).entries())
      writeState(stepBitsAt + stateSize * index, change);
    const candidateChanges = [new Uint32Array(stateWords), ...changes(candidateBits)];
    for (let candidate = 0; candidate < kernel.candidates; candidate++) {
      const lanes = difference(origin, candidateChanges[candidate] ?? new Uint32Array(stateWords));
      for (const [word, value] of lanes.entries()) {
        base[(word >> 1) * (baseStride / 4) + 2 * candidate + (word & 1)] = value;
      }
    }
    nextStep = 1;
  }

  function expand(flipped?: number): Uint32Array {
    kernel.write(flipped === undefined ? message : withFlipped(message, [flipped]));
    kernel.expand();
    return kernel.expanded.slice();
  }

  function writeState(offset: number, state: Uint32Array): void {
    new Uint32Array(kernel.memory.buffer, area + offset, stateWords).set(state);
  }

  /** Returns the matching salt among the candidates of a hit, if there is one: the kernel only tests up to four digits. */
  function confirm(step: number, entry: number): Salt | undefined {
    const gray = step ^ (step >> 1);
    const bits = [...selectedBits(stepBits, gray), ...selectedBits(entryBits, entry)];
    for (let candidate = 0; candidate < kernel.candidates; candidate++) {
      const bytes = withFlipped(message, [...bits, ...candidateBits.slice(0, candidate).slice(-1)]);
      const address = `0x${Buffer.from(kernel.hash(bytes).subarray(12)).toString("hex")}`;
      if (matchesPattern(address, pattern)) {
        return `0x${Buffer.from(bytes.subarray(saltAt, saltAt + 32)).toString("hex")}`;
      }
    }
    return undefined;
  }

  return {
    /** Tests the salts of this many steps, or of fewer if one is found. */
    run(steps: number): { salt: Salt | undefined; tried: number } {
      let tried = 0;
      for (let left = steps; left > 0; ) {
        if (nextStep >= stepCount) drawSalt();
        const first = nextStep;
        const end = Math.min(first + left, stepCount);
        const hit = kernel[search](area, first, end, mask, target);
        // The rest of a hit's step is skipped.
        nextStep = hit === 0 ? end : Math.floor(hit / entryCount) + 1;
        left -= nextStep - first;
        tried += (nextStep - first) * saltsPerStep(kernel);
        const salt = hit === 0 ? undefined : confirm(nextStep - 1, hit % entryCount);
        if (salt !== undefined) return { salt, tried };
      }
      return { salt: undefined, tried };
    },
    close: () => kernel.returnArea(area),
  };
}

function parseBytes(hex: string, length: number): Uint8Array {
  if (!/^0x([0-9a-f]{2})*$/i.test(hex) || hex.length !== 2 + 2 * length) {
    throw new TypeError(`Not ${length} bytes in hexadecimal: ${hex}`);
  }
  return Buffer.from(hex.slice(2), "hex");
}

function withFlipped(message: Uint8Array, bits: number[]): Uint8Array {
  const copy = message.slice();
  for (const bit of bits) {
    const at = 8 * counterLane + (bit >> 3);
    copy[at] = (copy[at] ?? 0) ^ (1 << (bit & 7));
  }
  return copy;
}

function difference(left: Uint32Array, right: Uint32Array): Uint32Array {
  return left.map((word, index) => word ^ (right[index] ?? 0));
}

/** Returns the sum (xor) of every subset of the changes. The one at index i has those whose bits are set in i. */
function subsetSums(changes: Uint32Array[]): Uint32Array[] {
  let all: Uint32Array[] = [new Uint32Array(stateWords)];
  for (const change of changes) all = [...all, ...all.map((sum) => difference(sum, change))];
  return all;
}

/** Returns the places whose bit is set in `number`. */
function selectedBits(places: readonly number[], number: number): number[] {
  return places.filter((_, index) => (number >> index) & 1);
}
