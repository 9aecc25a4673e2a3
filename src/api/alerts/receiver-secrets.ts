import { randomBytes } from "node:crypto";
import type { AlertRow } from "../../../offchain/alert-store.ts";
import { seal, unseal } from "./seal.ts";

/** What is encrypted: where messages go, and how they are signed. */
export type Receiver = {
  url: string;
  secret: string;
  /** The secret before, with which messages are signed too until that time. */
  previous?: { secret: string; until: string } | undefined;
};

export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

export const sealReceiver = (key: Buffer, id: string, receiver: Receiver) =>
  seal(key, id, JSON.stringify(receiver));

/** Throws if the operator's key is not the one with which it was sealed. */
export const openReceiver = (key: Buffer, { id, sealed }: Pick<AlertRow, "id" | "sealed">): Receiver =>
  JSON.parse(unseal(key, id, sealed)) as Receiver;

/** The secrets with which a message is signed now, the current one first. */
export function signingSecrets({ secret, previous }: Receiver): string[] {
  const isValid = previous !== undefined && Date.parse(previous.until) > Date.now();
  return isValid ? [secret, previous.secret] : [secret];
}
