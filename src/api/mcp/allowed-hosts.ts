import { isIP } from "node:net";

const local = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a request may be meant for us, by its Host and Origin. A page whose name is pointed to our address (DNS rebinding)
 * names itself in both. Clients outside of browsers send no Origin; an address as Host was never looked up.
 */
export function createHostCheck(baseUrl: string) {
  const own = new URL(baseUrl).hostname;
  const isOwn = (hostname: string) => hostname === own || local.has(hostname);

  return {
    takesHost(host: string | undefined): boolean {
      const hostname = hostnameOf(`http://${host ?? ""}`);
      return hostname !== undefined && (isOwn(hostname) || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0);
    },
    takesOrigin(origin: string | undefined): boolean {
      if (origin === undefined) return true;
      const hostname = hostnameOf(origin);
      return hostname !== undefined && isOwn(hostname);
    },
  };
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
