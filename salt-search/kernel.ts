import { readFileSync } from "node:fs";
import {
  areaCount,
  areaSize,
  areasAt,
  candidatesPerPass,
  type KernelKind,
  messageAt,
  resultAt,
  stateSize,
} from "./kernel/layout.ts";

/** What the WebAssembly modules export; `kernel/module.ts` writes them. */
type Exports = {
  memory: { buffer: ArrayBuffer };
  /** Rounds 1 and half of 2 of the message, and all rounds of it. */
  expand(): void;
  digest(): void;
  searchPrefix: SearchFunction;
  searchSuffix: SearchFunction;
};

type SearchFunction = (area: number, step: number, end: number, mask: bigint, target: bigint) => number;

export type Kernel = ReturnType<typeof loadKernel>;

/** The length in bytes of what CREATE2 hashes: 0xff, deployer, salt, hash of the init code. */
export const messageLength = 85;

/** Keccak-256 takes so many bytes of a message at a time. */
const rate = 136;

const modules = new Map<KernelKind, WebAssembly.Module>();

/** The fastest kind that this machine can run. */
export function supportedKind(): KernelKind {
  return WebAssembly.validate(wasmOf("simd")) ? "simd" : "scalar";
}

/** A kernel with a memory of its own, for one thread. */
export function loadKernel(kind: KernelKind = supportedKind()) {
  const module = modules.get(kind) ?? new WebAssembly.Module(wasmOf(kind));
  modules.set(kind, module);
  const { memory, ...functions } = new WebAssembly.Instance(module).exports as unknown as Exports;
  const freeAreas = Array.from({ length: areaCount }, (_, index) => areasAt + areaSize * index);
  const message = new Uint8Array(memory.buffer, messageAt, stateSize);
  const result = new Uint8Array(memory.buffer, resultAt, stateSize);

  return {
    kind,
    /** How many candidates one pass tests. */
    candidates: candidatesPerPass[kind],
    memory,
    /** The padded message that `expand` reads. */
    message,
    /** Where the 25 lanes of `expand` appear, as 32-bit words. */
    expanded: new Uint32Array(memory.buffer, resultAt, stateSize / 4),
    ...functions,
    /** Puts a message of 85 bytes before `expand`. */
    write(bytes: Uint8Array): void {
      message.fill(0);
      message.set(padded(bytes));
    },
    /** Keccak-256 of a message of any length. */
    hash(bytes: Uint8Array): Uint8Array {
      const blocks = padded(bytes);
      message.fill(0);
      for (let start = 0; start < blocks.length; start += rate) {
        for (let index = 0; index < rate; index++) {
          message[index] = (message[index] ?? 0) ^ (blocks[start + index] ?? 0);
        }
        functions.digest();
        message.set(result);
      }
      return result.slice(0, 32);
    },
    /** A search's own part of the memory. Throws when all are taken. */
    takeArea(): number {
      const area = freeAreas.pop();
      if (area === undefined) throw new Error(`A kernel has room for ${areaCount} searches at a time`);
      return area;
    },
    returnArea(area: number): void {
      freeAreas.push(area);
    },
  };
}

/** Whole blocks: a one after the message, zeros, and a one at the end. */
function padded(bytes: Uint8Array): Uint8Array {
  const blocks = new Uint8Array(rate * (Math.floor(bytes.length / rate) + 1));
  blocks.set(bytes);
  blocks[bytes.length] = 0x01;
  blocks[blocks.length - 1] = (blocks.at(-1) ?? 0) | 0x80;
  return blocks;
}

function wasmOf(kind: KernelKind): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(`./kernel/${kind}.wasm`, import.meta.url)));
}
