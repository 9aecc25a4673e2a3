import { isIP } from "node:net";
import { z } from "zod";
import { integer } from "./integer.ts";

export type Address = `0x${string}`;

export const onOrOff = z
  .enum(["on", "off"], { error: "must be on or off" })
  .transform((value) => value === "on");

export const port = integer(1, 65_535);

export const host = z.string().refine((value) => value === "localhost" || isIP(value) !== 0, {
  message: "must be an IP address of this machine, such as 127.0.0.1 or ::",
});

export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "must be an address: 0x and 40 hexadecimal digits")
  .transform((value) => value.toLowerCase() as Address);

export const addresses = z
  .string()
  .transform(splitList)
  .refine((parts) => parts.length > 0 && parts.every((part) => address.safeParse(part).success), {
    message: "must be one or more addresses, separated by commas: 0x and 40 hexadecimal digits each",
  })
  .transform((parts) => [...new Set(parts.map((part) => part.toLowerCase() as Address))]);

const isUrl = (value: string, protocols: string[]) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol);

export const httpUrl = z
  .string()
  .refine((value) => isUrl(value, ["http:", "https:"]), { message: "must be an http(s) URL" })
  .transform((value) => value.replace(/\/+$/, ""));

/** Without white space, which URLs tolerate: it would add lines to the text that names the contact. */
export const contactUrl = z
  .string()
  .refine((value) => !/\s/.test(value) && isUrl(value, ["https:", "mailto:"]), {
    message: "must be an https or mailto URL, such as mailto:security@launchpad.example",
  });

/** fetch refuses URLs with a user or a password, and repeats them in its error. What is no URL at all passes: another check refuses it. */
export function hasNoUser(value: string): boolean {
  if (!URL.canParse(value)) return true;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}

export const portalUrl = httpUrl.refine(hasNoUser, {
  message:
    "must be the http(s) URL of a dataset, such as https://portal.sqd.dev/datasets/binance-mainnet, without a user and a password",
});

const isHttp = (url: string) => isUrl(url, ["http:", "https:"]);
const isWebSocket = (url: string) => isUrl(url, ["ws:", "wss:"]);

/** RPC endpoints: those that answer requests (http), and those that announce new blocks (WebSocket). */
export const rpcUrls = z
  .string()
  .transform((value) => [...new Set(splitList(value))])
  .refine((urls) => urls.some(isHttp) && urls.every((url) => isHttp(url) || isWebSocket(url)), {
    message: "must be one or more http(s) URLs, separated by commas, optionally with ws(s) URLs among them",
  })
  .transform((urls) => ({ http: urls.filter(isHttp), webSocket: urls.filter(isWebSocket) }));

export const postgresUrl = z.string().refine((value) => isUrl(value, ["postgres:", "postgresql:"]), {
  message: "must be a Postgres URL: postgres://user:password@host:5432/database",
});

/** Splits a comma-separated list. Empty parts are dropped. */
function splitList(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}
