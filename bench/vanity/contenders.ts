import { createKeccak } from "hash-wasm";
import jsSha3 from "js-sha3";
import { bytesToHex, getContractAddress, type Hex, keccak256 } from "viem";

/** The message that CREATE2 hashes: 0xff, deployer, salt, hash of the init code. */
export const messageLength = 85;
export const saltAt = 21;

/** Whether the message's salt gives an address that ends in 5afe. */
export type Test = (message: Uint8Array) => boolean;

const matches = (digest: Uint8Array) => digest[30] === 0x5a && digest[31] === 0xfe;

/** The alternatives on npm, each used in the fastest way that it offers. */
export const contenders = {
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

export type ContenderName = keyof typeof contenders;
export const contenderNames = Object.keys(contenders) as ContenderName[];
