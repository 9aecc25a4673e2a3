import { isIPv6 } from "node:net";

/*
 * The rules of the schema of Uniswap's token lists (https://uniswap.org/tokenlist.schema.json). JSON Schema counts code points.
 */

/** The most tokens that a list may have. */
export const maxTokens = 10_000;

const countCodePoints = (text: string) => [...text].length;

/** Whether the schema allows the token's name: spaces are the only white space. */
export function isListableName(name: string): boolean {
  return countCodePoints(name) <= 60 && (name === "" || /^[ \S+]+$/u.test(name));
}

/** Whether the schema allows the token's symbol: no white space. */
export function isListableSymbol(symbol: string): boolean {
  return countCodePoints(symbol) <= 20 && (symbol === "" || /^\S+$/u.test(symbol));
}

const character = String.raw`[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2}`;
const uri = new RegExp(
  [
    String.raw`^[A-Za-z][A-Za-z0-9+\-.]*://`,
    `(?:(?:${character}|:)*@)?`,
    String.raw`(?:\[(?<ip>[0-9A-Fa-f:.]+)\]|(?:${character})*)(?::[0-9]*)?`,
    `(?:/(?:${character}|[:@])*)*`,
    String.raw`(?:\?(?:${character}|[:@/?])*)?`,
    `(?:#(?:${character}|[:@/?])*)?$`,
  ].join(""),
);

/** Whether a URL with an authority has the format `uri` of JSON Schema: RFC 3986, which allows only ASCII. */
export function isListableUrl(url: string): boolean {
  const match = uri.exec(url);
  if (match === null) return false;
  const ip = match.groups?.ip;
  return ip === undefined || isIPv6(ip);
}
