import { createKeccak } from "hash-wasm";
import jsSha3 from "js-sha3";
import { bytesToHex, getContractAddress, keccak256 } from "viem";
import { ownProcessorTime, type Searcher } from "./searchers.ts";

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

/** The simplest search with each of the published packages, salt by salt. They share nothing between threads: one shows the rate. */
export const packageSearchers = Object.entries(packages).map(([name, test]): Searcher => {
  const message = crypto.getRandomValues(new Uint8Array(messageLength));
  message[0] = 0xff;
  const counter = new DataView(message.buffer);
  return {
    name,
    async rate(seconds) {
      const [startedAt, end] = [ownProcessorTime(), performance.now() + 1_000 * seconds];
      let tried = 0;
      while (performance.now() < end) {
        for (let index = 0; index < triesPerCheck; index++) {
          counter.setUint32(saltAt + 28, tried++);
          test(message);
        }
      }
      return tried / (ownProcessorTime() - startedAt);
    },
  };
});
