import { isIP } from "node:net";

const local = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Creates checks of the Host and Origin headers against DNS rebinding, where a page points its own name to our address: such
 * a page sends its name in both. Clients outside browsers send no Origin, and a Host that is an IP address needed no DNS.
 */
export function createHostCheck(baseUrl: string) {
  const own = new URL(baseUrl).hostname;
  const isOwn = (hostname: string) => hostname === own || local.has(hostname);

  return {
    allowsHost(host: string | undefined): boolean {
      const hostname = parseHostname(`http://${host ?? ""}`);
      return hostname !== undefined && (isOwn(hostname) || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0);
    },
    allowsOrigin(origin: string | undefined): boolean {
      if (origin === undefined) return true;
      const hostname = parseHostname(origin);
      return hostname !== undefined && isOwn(hostname);
    },
  };
}

function parseHostname(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
