import { Resolver } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { BlockList, isIP, type Socket } from "node:net";
import { within } from "../../../config/async.ts";
import { codeOf } from "../../../config/error-code.ts";
import type { EgressSettings } from "../../../config/values.ts";

/*
 * The only requests of the service to addresses that clients choose. A name is resolved once for each request, every address that it
 * has is checked, and the connection goes to one of those that were checked. No redirect is followed.
 */

export type OutboundErrorCode =
  | "unresolved"
  | "not_public"
  | "timeout"
  | "closed"
  | "flood"
  | "tls"
  | "unreachable";

/** A request without a whole answer. The message is for who chose the URL: it says nothing about our network. */
export class OutboundError extends Error {
  override name = "OutboundError";
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export const noAnswerWithin = (timeoutMs: number) =>
  new OutboundError("timeout", `it didn't answer within ${Math.ceil(timeoutMs / 100) / 10} s`);

/** Where a request goes. `connectMs` is how long a connection may take if there is another address to try. */
export type OutboundTarget = { url: URL; address: string; connectMs?: number };

export type OutboundRequest = {
  target: OutboundTarget;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  /** For everything, to the end of the answer. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
};

export type OutboundAnswer = {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** Throws an OutboundError if it breaks off. Whoever stops reading closes the connection. */
  chunks: AsyncIterable<Buffer>;
};

type OutboundOptions = EgressSettings & {
  resolver?: Pick<Resolver, "resolve4" | "resolve6">;
  /** Certificates to trust in place of Node's own. */
  ca?: string;
};

/** How long an idle connection is kept. */
const idleMs = 15_000;
/** How many addresses of a name are tried, and how long a connection to each of them but the last may take. */
const maxAddresses = 4;
const connectMs = 2_000;

/*
 * Each interim response (103 Early Hints), chunk and TLS record costs this thread some microseconds, however small it is: endless ones
 * would take its time from everyone else.
 */
const maxInterimResponses = 10;
/** Bytes that an answer may take beyond 1.25 times those of its body: more than are read ahead of who reads it. */
const maxExtraBytes = 128 * 1_024;
/** Reads of the connection that an answer may take, beyond one for each so many bytes of its body: a TLS record is one. */
const maxExtraReads = 512;
const minBytesPerRead = 512;

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

/** Returns what is wrong with a URL that a client chose, to complete the sentence "`url` ..."; undefined if nothing is. */
export function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "must be an https URL";
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return "must be an https URL";
  if (username !== "" || password !== "") return "must not have a user or a password in it";
  return hash === "" ? undefined : "must not have a fragment (#)";
}

export type Outbound = ReturnType<typeof createOutbound>;

/** Creates what sends these requests. */
export function createOutbound({
  privateNetworks,
  proxy,
  resolver = new Resolver({ timeout: 2_000, tries: 2 }),
  ca,
}: OutboundOptions) {
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

  function open({ target: { url, address }, method, headers, body = "", signal }: OutboundRequest) {
    const isSecure = url.protocol === "https:";
    const isName = isIP(url.hostname.replace(/^\[(.*)\]$/, "$1")) === 0;
    const port = url.port || (isSecure ? 443 : 80);
    // Without TLS, a proxy is told by Host where to connect: to the address that was checked too.
    const host =
      isSecure || proxy === undefined
        ? url.host
        : `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
    const length = method === "POST" ? { "content-length": Buffer.byteLength(body) } : {};
    return (isSecure ? https : http).request({
      agent: isSecure ? secureAgent : plainAgent,
      method,
      // The address that was checked: nothing resolves the name again.
      host: address,
      port,
      path: url.pathname + url.search,
      headers: { ...headers, host, ...length },
      ...(signal === undefined ? {} : { signal }),
      ...(isSecure && isName ? { servername: url.hostname } : {}),
      ...(ca === undefined ? {} : { ca }),
    });
  }

  async function sendOnce<Result>(
    sent: OutboundRequest,
    read: (answer: OutboundAnswer) => Promise<Result>,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const request = open(sent);
    let response: http.IncomingMessage | undefined;
    const timer = setTimeout(
      () => (response ?? request).destroy(noAnswerWithin(sent.timeoutMs)),
      sent.timeoutMs,
    );
    let isConnected = false;
    const connectTimer = setTimeout(() => {
      if (!isConnected) request.destroy(new Error("no connection in time"));
    }, sent.target.connectMs ?? sent.timeoutMs);
    request.once("socket", (socket) => {
      const connected = () => {
        isConnected = true;
      };
      if (socket.connecting) socket.once("connect", connected);
      else connected();
    });
    request.on("error", (error) => reject(toOutboundError(error, request.reusedSocket, isConnected)));
    request.once("close", () => reject(new OutboundError("closed", "it closed the connection")));
    request.once("response", resolve);
    let interim = 0;
    request.on("information", () => {
      if (++interim > maxInterimResponses)
        request.destroy(new OutboundError("flood", "it sent too many interim responses"));
    });
    request.end(sent.body);
    try {
      response = await promise;
      // Reported to who reads it.
      response.on("error", () => {});
      const { statusCode = 0, headers, socket } = response;
      return await read({ status: statusCode, headers, chunks: chunksOf(response, socket) });
    } finally {
      clearTimeout(timer);
      clearTimeout(connectTimer);
      if (response !== undefined && !response.readableEnded) response.destroy();
    }
  }

  return {
    /**
     * Resolves the name in a URL, in time, and checks every address that it has. Returns some of them, for {@link firstReachable}. Throws an
     * OutboundError.
     */
    async resolve(url: URL, timeoutMs: number): Promise<OutboundTarget[]> {
      const resolving = addressesOf(url.hostname.replace(/^\[(.*)\]$/, "$1"));
      const addresses = await within(timeoutMs, resolving, () => []);
      if (addresses.length === 0) throw new OutboundError("unresolved", "its name can't be resolved");
      const isAllowed = (candidate: string) =>
        isPrivate(candidate) || (url.protocol === "https:" && isPublicAddress(candidate));
      if (!addresses.every(isAllowed)) {
        throw new OutboundError("not_public", "it is not at a public address over https, which is required");
      }
      const tried = addresses.slice(0, maxAddresses);
      return tried.map((address, index) =>
        index === tried.length - 1 ? { url, address } : { url, address, connectMs },
      );
    },

    /** Sends a request and lets `read` read the answer, whatever its status. Throws an OutboundError if there is none in time. */
    async send<Result>(
      request: OutboundRequest,
      read: (answer: OutboundAnswer) => Promise<Result>,
    ): Promise<Result> {
      const startedAt = performance.now();
      try {
        return await sendOnce(request, read);
      } catch (error) {
        const timeoutMs = request.timeoutMs - (performance.now() - startedAt);
        // The server closed an idle connection just now.
        if (error instanceof IdleConnectionError && timeoutMs > 0) {
          return await sendOnce({ ...request, timeoutMs }, read);
        }
        throw error;
      }
    },

    close(): void {
      secureAgent.destroy();
      plainAgent.destroy();
    },
  };
}

/** Uses one target after the other, until there is a connection to one. */
export async function firstReachable<Result>(
  targets: OutboundTarget[],
  use: (target: OutboundTarget) => Promise<Result>,
): Promise<Result> {
  for (const target of targets.slice(0, -1)) {
    try {
      return await use(target);
    } catch (error) {
      if (!(error instanceof NoConnectionError)) throw error;
    }
  }
  return await use(targets.at(-1) as OutboundTarget);
}

/** @param socket the response's, which that loses at its end */
async function* chunksOf(response: http.IncomingMessage, socket: Socket): AsyncGenerator<Buffer> {
  const readBefore = socket.bytesRead;
  let reads = 0;
  let bytes = 0;
  const check = () => {
    reads++;
    if (
      socket.bytesRead - readBefore > maxExtraBytes + 1.25 * bytes ||
      reads > maxExtraReads + bytes / minBytesPerRead
    ) {
      response.destroy(new OutboundError("flood", "its answer comes in pieces that are too small"));
    }
  };
  socket.on("data", check);
  try {
    for await (const chunk of response) {
      bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw toOutboundError(error, false);
  } finally {
    // The connection may be kept for other requests.
    socket.off("data", check);
  }
}

class IdleConnectionError extends OutboundError {}

/** Nothing was sent. */
class NoConnectionError extends OutboundError {}

function toOutboundError(error: unknown, isReused: boolean, isConnected = true): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  if (isReused && (code === "ECONNRESET" || code === "EPIPE"))
    return new IdleConnectionError("closed", "it closed the connection");
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|^ERR_SSL|^ERR_TLS/.test(code)) {
    return new OutboundError("tls", "its certificate or its TLS is not valid");
  }
  const message = "it can't be reached, or broke off the connection";
  return isConnected
    ? new OutboundError("unreachable", message)
    : new NoConnectionError("unreachable", message);
}
