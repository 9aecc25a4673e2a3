import { computed, signal } from "@preact/signals";
import { t } from "../language/messages.ts";
import { url } from "../routing/router.ts";
import { api, dataOf } from "./client.ts";
import { setClock } from "./clock.ts";

type ChainId = 56 | 97;

/** The chain in the address; undefined for the service's default. */
export const chainId = computed<ChainId | undefined>(() => {
  const asked = Number(url.value.searchParams.get("chain"));
  return asked === 56 || asked === 97 ? asked : undefined;
});

export function chainName(id: number): string {
  if (id === 56) return "BNB Smart Chain";
  return id === 97 ? t.common.testnet : t.common.otherChain(id);
}

/** The service's default chain. The server says in the page's head if that is the testnet. */
export const defaultChain = (): ChainId =>
  document.querySelector('meta[name="testnet"]') === null ? 56 : 97;

/** The chain in the address, or else the service's default. */
export const targetChain = (): ChainId => chainId.value ?? defaultChain();

/** The name of a chain's native coin. */
export const coinOf = (id: number): string => (id === 97 ? "tBNB" : "BNB");

/** The name of the native coin of the page's chain. */
export const coin = computed(() => coinOf(targetChain()));

const contracts = new Map<ChainId, Promise<{ launchpad: string; tokenFactory: string }>>();

/** The addresses of a chain's contracts, from the manifest. They never change, so they are read once. */
export function readContracts(id: ChainId): Promise<{ launchpad: string; tokenFactory: string }> {
  const reading =
    contracts.get(id) ??
    dataOf(api.GET("/api", { params: { query: { chainId: id } } })).then((manifest) => manifest.contracts);
  contracts.set(id, reading);
  reading.catch(() => contracts.delete(id));
  return reading;
}

export type Freshness = Awaited<ReturnType<typeof readHealth>>["index"];

/** How fresh the index is; undefined until it is known. */
export const freshness = signal<Freshness>(undefined);

/** Whether this device has a network. */
export const isOnline = signal(navigator.onLine);

/** Whether the service answers. */
export const isServiceUp = signal(true);

async function readHealth() {
  const asked = api.GET("/api/health");
  const health = await dataOf(asked);
  setClock((await asked).response.headers);
  return health;
}

/** How often the service's state is read; more often while it doesn't answer. */
const pollSeconds = 20;
const pollSecondsWhenDown = 3;

/** Starts polling the service's state. */
export function watchHealth(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async () => {
    clearTimeout(timer);
    if (!document.hidden) {
      try {
        freshness.value = (await readHealth()).index;
        isServiceUp.value = true;
        // Not every browser says when it is online again.
        isOnline.value = true;
      } catch {
        isServiceUp.value = false;
        isOnline.value = navigator.onLine;
      }
    }
    clearTimeout(timer);
    timer = setTimeout(look, 1_000 * (isServiceUp.value ? pollSeconds : pollSecondsWhenDown));
  };
  void look();
  const note = () => {
    isOnline.value = navigator.onLine;
    void look();
  };
  window.addEventListener("online", note);
  window.addEventListener("offline", note);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void look();
  });
}
