import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { percentDecode } from "./parse.ts";

export type Address = `0x${string}`;

export const onOrOff = z
  .enum(["on", "off"], { error: "must be on or off" })
  .transform((value) => value === "on");

/** A variable that takes a whole number within these bounds. */
export const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, {
      message: `must be a whole number from ${minimum} to ${maximum}`,
    });

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

/** A page that others link to, whose URL stays as it is. */
export const pageUrl = z.string().refine((value) => !/\s/.test(value) && isUrl(value, ["http:", "https:"]), {
  message: "must be the http(s) URL of a page, such as https://launchpad.example/terms",
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

/** URLs tolerate white space, but in a list it shows that the comma between two is missing. */
const isListedUrl = (value: string, protocols: string[]) => !/\s/.test(value) && isUrl(value, protocols);
const isHttp = (url: string) => isListedUrl(url, ["http:", "https:"]);
const isWebSocket = (url: string) => isListedUrl(url, ["ws:", "wss:"]);

/**
 * Whether a URL is sent as it is written: what follows a # is not, and Node decodes user and password, which throws for a % that encodes
 * nothing. What is no URL at all passes: another check refuses it.
 */
function isSentWhole(value: string): boolean {
  if (!URL.canParse(value)) return true;
  const { hash, username, password } = new URL(value);
  return hash === "" && [username, password].every((part) => percentDecode(part) !== undefined);
}

/** RPC endpoints: those that answer requests (http), and those that announce new blocks (WebSocket). */
export const rpcUrls = z
  .string()
  .transform((value) => [...new Set(splitList(value))])
  .refine((urls) => urls.some(isHttp) && urls.every((url) => isHttp(url) || isWebSocket(url)), {
    message: "must be one or more http(s) URLs, separated by commas, optionally with ws(s) URLs among them",
  })
  .refine((urls) => urls.every(isSentWhole), {
    message: "must have %23 in place of a #, and %25 in place of a % in a user or a password",
  })
  .transform((urls) => ({ http: urls.filter(isHttp), webSocket: urls.filter(isWebSocket) }));

/**
 * Whether a database's URL has its user and password in front of the host. A #, / or ? in a password ends that part: the rest would be taken
 * for a database, a parameter or nothing, the user for the host, and errors would repeat all that.
 */
function hasWholeLogin(value: string): boolean {
  if (!URL.canParse(value)) return true;
  const { hash, pathname, searchParams } = new URL(value);
  return hash === "" && ![pathname, ...searchParams.keys()].some((part) => part.includes("@"));
}

const escapes = "%23, %2F and %3F in place of a #, / and ? in its password";

export const postgresUrl = z
  .string()
  .refine((value) => isUrl(value, ["postgres:", "postgresql:"]), {
    message: `must be a Postgres URL, postgres://user:password@host:5432/database, with ${escapes}`,
  })
  .refine(hasWholeLogin, { message: `must have ${escapes}` })
  .refine((value) => percentDecode(value) !== undefined, {
    message: "must have %25 in place of a % in its password",
  });

/** Splits a comma-separated list. Empty parts are dropped. */
function splitList(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Requests of each kind that a client may make per minute. */
export type RateLimitSettings = {
  /** Undefined if not set: then on, but off on the local stack. */
  isOn: boolean | undefined;
  /** Whether replicas count together, in Postgres. */
  isShared: boolean;
  reads: number;
  writes: number;
  uploads: number;
};

export type Variables = Record<string, string | undefined>;

/**
 * Reads the variables that a schema names, with `suffix` appended to each name; an empty one counts as unset. Adds a line to
 * `problems` for each that is invalid or missing, and then returns undefined.
 */
export function readVariables<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  variables: Variables,
  suffix: string,
  problems: string[],
): z.infer<z.ZodObject<Shape>> | undefined {
  const input = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, variables[name + suffix] || undefined]),
  );
  const result = schema.safeParse(input);
  if (result.success) return result.data;

  for (const issue of result.error.issues) {
    const name = String(issue.path[0]);
    const isMissing = input[name] === undefined;
    // A value may hold a password or an API key, so it is never repeated.
    problems.push(
      isMissing
        ? `${name}${suffix} is missing: ${missingHint(name)}`
        : `${name}${suffix} is wrong: it ${issue.message}`,
    );
  }
  return undefined;
}

function missingHint(name: string): string {
  if (name === "START_BLOCK") return "set the number of the block in which the TokenFactory was deployed";
  if (name === "TOKEN_FACTORY_ADDRESS") return "set the address of the deployed TokenFactory";
  if (name === "LAUNCHPAD_ADDRESS") return "set the address of the deployed Launchpad";
  return "set it";
}

/** Where requests may go whose URLs clients choose: to public addresses over https, and where the operator says. */
export type EgressSettings = {
  /** Networks that may be reached although they are private, there also without TLS. Empty: none. */
  privateNetworks: BlockList;
  /** The proxy for these requests. Undefined: none. */
  proxy: string | undefined;
};

export const networks = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim().split("/")))
  .refine((parts) => parts.every(isNetwork), {
    message: "must be networks such as 10.0.0.0/8, separated by commas",
  })
  .transform((parts) => {
    const list = new BlockList();
    for (const [address = "", prefix] of parts) {
      list.addSubnet(address, Number(prefix), isIP(address) === 6 ? "ipv6" : "ipv4");
    }
    return list;
  });

function isNetwork([address = "", prefix = "", ...others]: string[]): boolean {
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return others.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}

export const proxyUrl = z
  .url({ protocol: /^http$/, error: "must be an http URL, such as http://proxy.internal:3128" })
  .refine(hasNoUser, { message: "must not have a user or a password in it" });
