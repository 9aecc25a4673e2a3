import { randomBytes } from "node:crypto";
import type { AlertRow } from "../../../offchain/alert-store.ts";
import { seal, unseal } from "./seal.ts";

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

/** Throws if the operator's key is not the one with which it was sealed. */
export const openReceiver = (key: Buffer, { id, sealed }: Pick<AlertRow, "id" | "sealed">): Receiver =>
  JSON.parse(unseal(key, id, sealed));

/** The secrets with which a message is signed now, the current one first. */
export function signingSecrets(receiver: Receiver): string[] {
  return [receiver.secret, ...stillValid(receiver).map(({ secret }) => secret)];
}
