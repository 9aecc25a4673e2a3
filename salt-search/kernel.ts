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

/** The exports of the WebAssembly modules that `kernel/build.ts` generates. */
type Exports = {
  memory: { buffer: ArrayBuffer };
  /** Computes round 1 and the linear half of round 2 of the message. */
  expand(): void;
  /** Computes all rounds of the message. */
  digest(): void;
  searchPrefix: SearchFunction;
  searchSuffix: SearchFunction;
};

type SearchFunction = (area: number, step: number, end: number, mask: bigint, target: bigint) => number;

export type Kernel = ReturnType<typeof loadKernel>;

/** The length in bytes of the message that CREATE2 hashes: 0xff, deployer, salt, hash of the init code. */
export const messageLength = 85;

/** Keccak-256 absorbs this many bytes of a message at a time. */
const rate = 136;

const modules = new Map<KernelKind, WebAssembly.Module>();

/** Returns the fastest kind that this machine can run. */
export function supportedKind(): KernelKind {
  return WebAssembly.validate(readWasm("simd")) ? "simd" : "scalar";
}

/** Loads a kernel with its own memory, for one thread. */
export function loadKernel(kind: KernelKind = supportedKind()) {
  const module = modules.get(kind) ?? new WebAssembly.Module(readWasm(kind));
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
    /** The 25 lanes that `expand` computes, as 32-bit words. */
    expanded: new Uint32Array(memory.buffer, resultAt, stateSize / 4),
    ...functions,
    /** Sets the message of 85 bytes that `expand` reads. */
    write(bytes: Uint8Array): void {
      message.fill(0);
      message.set(padded(bytes));
    },
    /** Returns the Keccak-256 hash of a message of any length. */
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
    /** Reserves a search's own area of the memory. Throws if all are taken. */
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

/** Pads a message to whole blocks: a one bit after the message, zeros, and a one bit at the end. */
function padded(bytes: Uint8Array): Uint8Array {
  const blocks = new Uint8Array(rate * (Math.floor(bytes.length / rate) + 1));
  blocks.set(bytes);
  blocks[bytes.length] = 0x01;
  blocks[blocks.length - 1] = (blocks.at(-1) ?? 0) | 0x80;
  return blocks;
}

function readWasm(kind: KernelKind): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(`./kernel/${kind}.wasm`, import.meta.url)));
}
