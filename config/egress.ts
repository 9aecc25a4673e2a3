import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { hasNoUser } from "./values.ts";

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
