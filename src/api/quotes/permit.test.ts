import { type Hex, parseSignature, serializeSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { domainType } from "../chain/signatures.ts";
import { toLowerHex } from "../http/parameters.schema.ts";
import { isSignedBy, type Permit } from "./permit.ts";

const owner = privateKeyToAccount(`0x${"1".repeat(64)}`);
const mint = `0x${"ab".repeat(20)}` as const;
const spender = `0x${"cd".repeat(20)}` as const;
const domain = { name: "Launchpad Token", version: "1", chainId: 56, verifyingContract: mint };
const fields = ["owner", "spender", "value", "nonce", "deadline"].map((name, index) => ({
  name,
  type: index < 2 ? "address" : "uint256",
}));
const permit: Permit = {
  domain,
  types: { EIP712Domain: domainType, Permit: fields },
  primaryType: "Permit",
  message: { owner: toLowerHex(owner.address), spender, value: "5", nonce: "0", deadline: "1999999999" },
};

const sign = (value: bigint): Promise<Hex> =>
  owner.signTypedData({
    domain,
    types: { Permit: fields },
    primaryType: "Permit",
    message: { owner: owner.address, spender, value, nonce: 0n, deadline: 1_999_999_999n },
  });

/** The order of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

test("the owner's signature of the permit is one, and that of another amount is none", async () => {
  expect(await isSignedBy(permit, await sign(5n))).toBe(true);
  expect(await isSignedBy(permit, await sign(6n))).toBe(false);
});

test("numbers in range that no key can have made are no signature", async () => {
  // No point of the curve has the x 5.
  const word = (value: number) => value.toString(16).padStart(64, "0");
  expect(await isSignedBy(permit, `0x${word(5)}${word(1)}1b`)).toBe(false);
});

test("the other form of the owner's signature, which tokens refuse, is none", async () => {
  const { r, s, yParity } = parseSignature(await sign(5n));
  const mirrored = `0x${(order - BigInt(s)).toString(16).padStart(64, "0")}` as const;
  expect(await isSignedBy(permit, serializeSignature({ r, s: mirrored, yParity: 1 - yParity }))).toBe(false);
});
