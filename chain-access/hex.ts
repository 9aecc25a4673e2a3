import * as Hash from "ox/Hash";
import * as Hex from "ox/Hex";

/* What the gate needs of hex, from what viem is built on: to load all of viem took its thread longer than everything else. */

type HexText = `0x${string}`;

export const zeroAddress: HexText = `0x${"0".repeat(40)}`;
export const zeroHash: HexText = `0x${"0".repeat(64)}`;

export const numberToHex = (value: number): HexText => Hex.fromNumber(value);

/** @param strict whether all of it has to be hexadecimal digits, and not only its beginning that of hex. Default: true. */
export const isHex = (value: unknown, { strict = true } = {}): value is HexText =>
  Hex.validate(value, { strict });

/** Whether it is a hash of 32 bytes. */
export const isHash = (value: unknown): value is HexText => isHex(value) && value.length === zeroHash.length;

/** Whether it is an address, in whatever case its letters are. */
export const isAddress = (value: unknown): value is HexText =>
  isHex(value) && value.length === zeroAddress.length;

export const keccak256 = (value: HexText): Uint8Array => Hash.keccak256(value, { as: "Bytes" });

/** The Keccak-256 hash of a text, such as an event's signature. */
export const hashOfText = (text: string): HexText => Hash.keccak256(Hex.fromString(text));
