import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { createKeccak } from "hash-wasm";
import jsSha3 from "js-sha3";
import { bytesToHex, getContractAddress, type Hex, keccak256 } from "viem";

/* A thread that searches with a published package, salt by salt, until the shared flag is set or a salt is found. */

export type PackageSettings = { name: PackageName; message: Uint8Array; stopFlag: Int32Array };
/** Whether to stop when a salt is found, or to keep counting tries. */
export type PackageRequest = { stopAtFind: boolean };
export type PackageReport = { tried: number };
export type PackageName = keyof typeof packages;

/** Whether the message's salt gives an address that ends in 5afe. */
type Test = (message: Uint8Array) => boolean;

/** The message that CREATE2 hashes: 0xff, deployer, salt, hash of the init code. */
export const messageLength = 85;
const saltAt = 21;
const triesPerCheck = 64;

const matches = (digest: Uint8Array) => digest[30] === 0x5a && digest[31] === 0xfe;

/** Each used in the fastest way that it offers. */
const packages = {
  "viem, getContractAddress": async (): Promise<Test> => {
    const hex = (message: Uint8Array, start: number, end: number): Hex =>
      bytesToHex(message.subarray(start, end));
    return (message) =>
      getContractAddress({
        opcode: "CREATE2",
        from: hex(message, 1, saltAt),
        salt: hex(message, saltAt, saltAt + 32),
        bytecodeHash: hex(message, saltAt + 32, messageLength),
      })
        .toLowerCase()
        .endsWith("5afe");
  },
  "viem, keccak256 of bytes": async (): Promise<Test> => (message) => matches(keccak256(message, "bytes")),
  "js-sha3": async (): Promise<Test> => (message) => matches(jsSha3.keccak256.digest(message) as never),
  "hash-wasm": async (): Promise<Test> => {
    const hasher = await createKeccak(256);
    return (message) => matches(hasher.init().update(message).digest("binary"));
  },
};

export const packageNames = Object.keys(packages) as PackageName[];

if (!isMainThread) await search(workerData as PackageSettings);

async function search({ name, message, stopFlag }: PackageSettings): Promise<void> {
  const test = await packages[name]();
  const counter = new DataView(message.buffer, message.byteOffset, messageLength);
  parentPort?.on("message", ({ stopAtFind }: PackageRequest) => {
    crypto.getRandomValues(message.subarray(saltAt, saltAt + 32));
    let isFound = false;
    let tried = 0;
    while (!(isFound && stopAtFind) && Atomics.load(stopFlag, 0) === 0) {
      for (let index = 0; index < triesPerCheck && !(isFound && stopAtFind); index++) {
        counter.setUint32(saltAt + 28, tried++);
        isFound = test(message) || isFound;
      }
    }
    parentPort?.postMessage({ tried } satisfies PackageReport);
  });
  parentPort?.postMessage("ready");
}
