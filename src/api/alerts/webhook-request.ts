import { Resolver } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { BlockList, isIP } from "node:net";
import type { AlertSettings } from "../../../config/alerts.ts";

/*
 * The only requests of the service to addresses that clients choose. A name is resolved once for each request, every address that it
 * has is checked, and the connection goes to one of those that were checked.
 */

export type WebhookAnswer = {
  status: number;
  /** The first kilobyte of the body. */
  body: string;
  /** Seconds, from Retry-After; 0 without. */
  retryAfter: number;
};

/** A request without an answer. The message is for the subscription's owner: it says nothing about our network. */
export class WebhookError extends Error {
  override name = "WebhookError";
}

/** Where a request goes. */
export type WebhookTarget = { url: URL; address: string };

export type WebhookRequest = {
  target: WebhookTarget;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
};

type SenderOptions = Pick<AlertSettings, "privateNetworks" | "proxy"> & {
  resolver?: Pick<Resolver, "resolve4" | "resolve6">;
  /** Certificates to trust in place of Node's own. */
  ca?: string;
};

const maxAnswerBytes = 1_024;
const maxRetryAfter = 3_600;
/** How long an idle connection to a receiver is kept. */
const idleMs = 15_000;

/** Addresses that are not on the public internet, or may lead elsewhere. */
const blocked4 = blockList("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
]);
/** Global unicast. Everything else is refused: mapped and translated IPv4, local, link-local and multicast addresses. */
const global6 = blockList("ipv6", [["2000::", 3]]);
/** Of those: Teredo and other protocols, documentation, and 6to4, which contains an IPv4 address. */
const blocked6 = blockList("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
]);

function blockList(family: "ipv4" | "ipv6", networks: [address: string, prefix: number][]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, family);
  return list;
}

/** Whether an IP address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !blocked4.check(address, "ipv4");
  return isIP(address) === 6 && global6.check(address, "ipv6") && !blocked6.check(address, "ipv6");
}

/** Returns what is wrong with a receiver's URL, to complete the sentence "`url` ..."; undefined if nothing is. */
export function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "must be an https URL";
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return "must be an https URL";
  if (username !== "" || password !== "") return "must not have a user or a password in it";
  return hash === "" ? undefined : "must not have a fragment (#)";
}

/** The host of a receiver, whatever port and notation its URL has. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/\.$/, "");

export type WebhookSender = ReturnType<typeof createWebhookSender>;

/** Creates what sends requests to receivers. It follows no redirect. */
export function createWebhookSender({
  privateNetworks,
  proxy,
  resolver = new Resolver({ timeout: 2_000, tries: 2 }),
  ca,
}: SenderOptions) {
  const agentOptions = {
    keepAlive: true,
    timeout: idleMs,
    ...(proxy === undefined ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
  };
  const secureAgent = new https.Agent(agentOptions);
  const plainAgent = new http.Agent(agentOptions);

  const isPrivate = (address: string) =>
    privateNetworks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

  async function addressesOf(hostname: string): Promise<string[]> {
    if (isIP(hostname) !== 0) return [hostname];
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  }

  return {
    /** Resolves a receiver's name and checks every address that it has. Throws a WebhookError. */
    async resolve(url: URL): Promise<WebhookTarget> {
      const addresses = await addressesOf(url.hostname.replace(/^\[(.*)\]$/, "$1"));
      const [address] = addresses;
      if (address === undefined) throw new WebhookError("its name can't be resolved");
      const isAllowed = (candidate: string) =>
        isPrivate(candidate) || (url.protocol === "https:" && isPublicAddress(candidate));
      if (!addresses.every(isAllowed)) {
        throw new WebhookError("it is not at a public address over https, which is required");
      }
      return { url, address };
    },

    /** Posts a body. Resolves to any answer, even a redirect or an error. Throws a WebhookError if there is none in time. */
    async post(request: WebhookRequest): Promise<WebhookAnswer> {
      const startedAt = performance.now();
      try {
        return await postOnce(request);
      } catch (error) {
        const timeoutMs = request.timeoutMs - (performance.now() - startedAt);
        // The receiver closed an idle connection just now.
        if (error instanceof IdleConnectionError && timeoutMs > 0) {
          return await postOnce({ ...request, timeoutMs });
        }
        throw error;
      }
    },

    close(): void {
      secureAgent.destroy();
      plainAgent.destroy();
    },
  };

  function postOnce({
    target: { url, address },
    headers,
    body,
    timeoutMs,
  }: WebhookRequest): Promise<WebhookAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<WebhookAnswer>();
    const isSecure = url.protocol === "https:";
    const isName = isIP(url.hostname.replace(/^\[(.*)\]$/, "$1")) === 0;
    const request = (isSecure ? https : http).request({
      agent: isSecure ? secureAgent : plainAgent,
      method: "POST",
      // The address that was checked: nothing resolves the name again.
      host: address,
      port: url.port || (isSecure ? 443 : 80),
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, "content-length": Buffer.byteLength(body) },
      ...(isSecure && isName ? { servername: url.hostname } : {}),
      ...(ca === undefined ? {} : { ca }),
    });
    const timer = setTimeout(
      () => request.destroy(new WebhookError(`it didn't answer within ${Math.ceil(timeoutMs / 100) / 10} s`)),
      timeoutMs,
    );
    request.once("error", (error) => reject(toWebhookError(error, request.reusedSocket)));
    request.once("close", () => {
      clearTimeout(timer);
      reject(new WebhookError("it closed the connection"));
    });
    request.once("response", (response) => {
      let text = Buffer.alloc(0);
      const finish = () =>
        resolve({
          status: response.statusCode ?? 0,
          body: text.toString("utf8"),
          retryAfter: readRetryAfter(response),
        });
      response.on("data", (chunk: Buffer) => {
        text = Buffer.concat([text, chunk.subarray(0, maxAnswerBytes - text.length)]);
        if (text.length < maxAnswerBytes) return;
        finish();
        response.destroy();
      });
      response.once("end", finish);
      response.once("error", (error) => reject(toWebhookError(error, false)));
    });
    request.end(body);
    return promise;
  }
}

class IdleConnectionError extends WebhookError {}

function toWebhookError(error: Error, isReused: boolean): WebhookError {
  if (error instanceof WebhookError) return error;
  const { code = "" } = error as NodeJS.ErrnoException;
  if (isReused && (code === "ECONNRESET" || code === "EPIPE"))
    return new IdleConnectionError("it closed the connection");
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|^ERR_SSL|^ERR_TLS/.test(code)) {
    return new WebhookError("its certificate or its TLS is not valid");
  }
  return new WebhookError("it can't be reached, or broke off the connection");
}

function readRetryAfter({ headers }: http.IncomingMessage): number {
  const seconds = Number(headers["retry-after"]);
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, maxRetryAfter) : 0;
}
