import * as Hash from "ox/Hash";
import * as Hex from "ox/Hex";

/* The gate's hex helpers, made with ox, which viem is built on: loading viem took the gate's thread longer than everything else. */

type HexText = `0x${string}`;

export const zeroAddress: HexText = `0x${"0".repeat(40)}`;
export const zeroHash: HexText = `0x${"0".repeat(64)}`;

export const numberToHex = (value: number): HexText => Hex.fromNumber(value);

const hex = /^0x[0-9a-fA-F]*$/;

/** Checks every character. A quarter of what ox takes for it: each log that is read has ten of these. */
export const isHex = (value: unknown): value is HexText => typeof value === "string" && hex.test(value);

/** Whether a value is a 32-byte hash. */
export const isHash = (value: unknown): value is HexText => isHex(value) && value.length === zeroHash.length;

/** Whether a value is a 20-byte address. */
export const isAddress = (value: unknown): value is HexText =>
  isHex(value) && value.length === zeroAddress.length;

export const keccak256 = (value: HexText): Uint8Array => Hash.keccak256(value, { as: "Bytes" });

/** The Keccak-256 hash of a text, such as an event's signature. */
export const hashOfText = (text: string): HexText => Hash.keccak256(Hex.fromString(text));
