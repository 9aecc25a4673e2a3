import { clientNetwork } from "../http/client-ip.ts";
import type { StreamClient } from "./client.ts";

/**
 * Limits the clients of a process. When the limit is reached, the network with the most clients loses its oldest one to a network
 * with fewer, so that nobody can keep everyone else out.
 */
export function createClientLimit(max: number) {
  const perAddress = new Map<string, number>();
  /** Each network's clients, the oldest first. */
  const networks = new Map<string, Set<StreamClient>>();
  let taken = 0;

  function leave(address: string, client: StreamClient): void {
    taken--;
    const left = (perAddress.get(address) ?? 1) - 1;
    if (left === 0) perAddress.delete(address);
    else perAddress.set(address, left);
    const network = clientNetwork(address);
    networks.get(network)?.delete(client);
    if (networks.get(network)?.size === 0) networks.delete(network);
  }

  return {
    /** Returns the number of clients of an address. */
    count: (address: string) => perAddress.get(address) ?? 0,
    /** Returns whether there is a place for one more client of the address, cutting off another client if necessary. */
    makeRoom(address: string): boolean {
      if (taken < max) return true;
      const own = networks.get(clientNetwork(address))?.size ?? 0;
      let largest = new Set<StreamClient>();
      for (const clients of networks.values()) if (clients.size > largest.size) largest = clients;
      // With no more than this, the two networks would keep taking the place from each other.
      if (largest.size <= own + 1) return false;
      const [oldest] = largest;
      oldest?.destroy();
      return true;
    },
    /** Gives the client a place until it is closed. */
    add(address: string, client: StreamClient): void {
      taken++;
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
      const network = clientNetwork(address);
      const clients = networks.get(network) ?? new Set();
      networks.set(network, clients.add(client));
      client.closed.addEventListener("abort", () => leave(address, client), { once: true });
    },
  };
}
