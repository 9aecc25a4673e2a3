import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { AlertRow } from "../../../offchain/alert-store.ts";
import { ProblemException } from "../http/problem.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts a text with the operator's key. `context` is what it belongs to, without which it can't be opened. */
export function seal(key: Buffer, context: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64");
}

/** Decrypts what {@link seal} returned. Throws if the key or the context differ. */
export function unseal(key: Buffer, context: string, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
    "utf8",
  );
}

/** A hash that only the operator's key can make, so that nobody can guess what was hashed. */
export function keyedHash(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** What is encrypted: where messages go, and how they are signed. */
export type Receiver = {
  url: string;
  secret: string;
  /** The secrets before, with which messages are signed too until that time, the latest first. */
  previous?: { secret: string; until: string }[];
};

const maxPrevious = 4;
const rotationMs = 24 * 3_600_000;

const stillValid = ({ previous = [] }: Receiver) =>
  previous.filter(({ until }) => Date.parse(until) > Date.now());

/** The receiver with a new secret. Earlier ones stay valid for a day each, also if another rotation follows, as after a lost answer. */
export function rotate(receiver: Receiver): Receiver {
  const until = new Date(Date.now() + rotationMs).toISOString();
  const previous = [{ secret: receiver.secret, until }, ...stillValid(receiver)].slice(0, maxPrevious);
  return { ...receiver, secret: newSecret(), previous };
}

export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

export const sealReceiver = (key: Buffer, id: string, receiver: Receiver) =>
  seal(key, id, JSON.stringify(receiver));

/** Throws a problem if the operator's key is not the one with which it was sealed. */
export function openReceiver(key: Buffer, { id, sealed }: Pick<AlertRow, "id" | "sealed">): Receiver {
  try {
    return JSON.parse(unseal(key, id, sealed));
  } catch (cause) {
    throw new ProblemException(
      {
        status: 409,
        code: "alert_unreadable",
        detail:
          "The operator's key has changed, so that the receiver can't be read and nothing is sent any more: end the subscription (DELETE /api/alerts/{id}), and make another one.",
      },
      { cause },
    );
  }
}

/** The secrets with which a message is signed now, the current one first. */
export function signingSecrets(receiver: Receiver): string[] {
  return [receiver.secret, ...stillValid(receiver).map(({ secret }) => secret)];
}
