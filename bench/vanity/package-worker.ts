import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { createKeccak } from "hash-wasm";
import jsSha3 from "js-sha3";
import { bytesToHex, getContractAddress, keccak256 } from "viem";

/* A thread that searches with a published package, salt by salt, until the shared flag is set or a salt is found. */

export type PackageName = keyof typeof packages;
export type PackageSettings = { name: PackageName; stopFlag: Int32Array };

/** The message that CREATE2 hashes: 0xff, deployer, salt, hash of the init code. */
const messageLength = 85;
const saltAt = 21;
const triesPerCheck = 64;

const matches = (digest: ArrayLike<number>) => digest[30] === 0x5a && digest[31] === 0xfe;
const hasher = await createKeccak(256);

/** Whether the message's salt gives an address that ends in 5afe, in the fastest way that each package offers. */
const packages = {
  "viem, getContractAddress": (message: Uint8Array) =>
    getContractAddress({
      opcode: "CREATE2",
      from: bytesToHex(message.subarray(1, saltAt)),
      salt: bytesToHex(message.subarray(saltAt, saltAt + 32)),
      bytecodeHash: bytesToHex(message.subarray(saltAt + 32)),
    })
      .toLowerCase()
      .endsWith("5afe"),
  "viem, keccak256 of bytes": (message: Uint8Array) => matches(keccak256(message, "bytes")),
  "js-sha3": (message: Uint8Array) => matches(jsSha3.keccak256.digest(message)),
  "hash-wasm": (message: Uint8Array) => matches(hasher.init().update(message).digest("binary")),
};

export const packageNames = Object.keys(packages) as PackageName[];

if (!isMainThread) {
  const { name, stopFlag } = workerData as PackageSettings;
  const message = crypto.getRandomValues(new Uint8Array(messageLength));
  message[0] = 0xff;
  const counter = new DataView(message.buffer);
  const test = packages[name];
  // What it is sent is whether to stop at a find. It answers with the number of tries.
  parentPort?.on("message", (stopAtFind: boolean) => {
    crypto.getRandomValues(message.subarray(saltAt, saltAt + 32));
    let isFound = false;
    let tried = 0;
    while (!(isFound && stopAtFind) && Atomics.load(stopFlag, 0) === 0) {
      for (let index = 0; index < triesPerCheck && !(isFound && stopAtFind); index++) {
        counter.setUint32(saltAt + 28, tried++);
        isFound = test(message) || isFound;
      }
    }
    parentPort?.postMessage(tried);
  });
  parentPort?.postMessage("ready");
}
