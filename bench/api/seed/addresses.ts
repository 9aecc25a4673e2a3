import { hash } from "node:crypto";

/*
 * Addresses that JavaScript and SQL derive alike from a kind and a number, so that neither has to tell the other.
 */

export type AddressKind = "token" | "creator" | "trader" | "pair";

export function addressOf(kind: AddressKind, number: number): string {
  return `0x${hash("sha256", `${kind} ${number}`).slice(0, 40)}`;
}

/** The same as SQL, of a number that is an SQL expression. */
export function addressSql(kind: AddressKind, number: string): string {
  return hexSql(kind, number, 40);
}

export function hexSql(kind: string, number: string, digits: number): string {
  return `('0x' || left(encode(sha256(convert_to('${kind} ' || (${number}), 'UTF8')), 'hex'), ${digits}))`;
}

/** SQL for a fraction from 0 to 1, without 1: always the same for a number and a salt. */
export function fractionSql(number: string, salt: number): string {
  return `((hashint8extended((${number})::bigint, ${salt}) & 9007199254740991)::float8 / 9007199254740992)`;
}
