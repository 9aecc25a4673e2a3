import { clientNetwork } from "../http/client-ip.ts";
import type { StreamClient } from "./client.ts";

/**
 * The places for clients of a process. When all are taken, the network with the most of them gives its oldest to a network
 * that has fewer, so that nobody can keep everyone else out.
 */
export function createPlaces(most: number) {
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
    /** How many the address has. */
    of: (address: string) => perAddress.get(address) ?? 0,
    /** Whether there is a place for one more of the address, for which another client may have to go. */
    makeRoom(address: string): boolean {
      if (taken < most) return true;
      const own = networks.get(clientNetwork(address))?.size ?? 0;
      let largest = new Set<StreamClient>();
      for (const clients of networks.values()) if (clients.size > largest.size) largest = clients;
      // Else the two would take it from each other in turn.
      if (largest.size <= own + 1) return false;
      const [oldest] = largest;
      oldest?.cut();
      return true;
    },
    /** Gives a place to the client, until it is closed. */
    take(address: string, client: StreamClient): void {
      taken++;
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
      const network = clientNetwork(address);
      const clients = networks.get(network) ?? new Set();
      networks.set(network, clients.add(client));
      client.closed.addEventListener("abort", () => leave(address, client), { once: true });
    },
  };
}
