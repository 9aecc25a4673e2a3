import { type Signal, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** Data that a page reads, or the error of reading it. The last data stay while they are reloaded. */
export type Resource<Data> = {
  data: Signal<Data | undefined>;
  error: Signal<unknown>;
  /** Reads the data again. Calls during a read share one more read after it. */
  reload: () => Promise<void>;
};

/** Resources are cached so that going back shows them at once. */
const maxCached = 60;
/** `refresh` reads the data unless another component has had them read just now. */
type Cached<Data> = Resource<Data> & { refresh: () => void };
const cache = new Map<string, Cached<unknown>>();

/** Data younger than this are not read again when a page opens. */
const maxAgeMs = 2_000;

/** The resource with this key, read when a component shows it. */
export function useResource<Data>(key: string, load: () => Promise<Data>): Resource<Data> {
  const resource = getResource(key, load);
  useEffect(resource.refresh, [key]);
  return resource;
}

/**
 * What was there last, while the next is read. Otherwise each turn of a page would take a list away, and the button that has the focus
 * with it.
 *
 * @param of what both have in common. Once that is something else, nothing of the last remains
 */
export function useLast<Data>(data: Data | undefined, of = ""): Data | undefined {
  const last = useRef({ data, of });
  if (data !== undefined || last.current.of !== of) last.current = { data, of };
  return last.current.data;
}

function getResource<Data>(key: string, load: () => Promise<Data>): Cached<Data> {
  const cached = cache.get(key) as Cached<Data> | undefined;
  if (cached !== undefined) {
    // Moved to the end: the least recently shown one is evicted first.
    cache.delete(key);
    cache.set(key, cached as Cached<unknown>);
    return cached;
  }
  const data = signal<Data | undefined>(undefined);
  const error = signal<unknown>(undefined);
  let reading: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let readAt = 0;

  const read = async () => {
    try {
      data.value = await load();
      error.value = undefined;
      readAt = Date.now();
    } catch (failure) {
      error.value = failure;
    }
  };
  const start = () => {
    reading = read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const reload = () => {
    if (reading === undefined) return start();
    next ??= reading.then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
  const refresh = () => {
    if (reading === undefined && Date.now() - readAt > maxAgeMs) void start();
  };
  const resource = { data, error, reload, refresh };
  cache.set(key, resource as Cached<unknown>);
  const [oldest] = cache.keys();
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
  return resource;
}

/** Returns a function that reloads the resources after `intervalMs`, at most once per interval: a busy market has many events per second. */
export function useReloadAfter(
  intervalMs: number,
  resources: Pick<Resource<unknown>, "reload">[],
): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const current = useRef(resources);
  current.current = resources;
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      for (const resource of current.current) void resource.reload();
    }, intervalMs);
  };
}

/** Reloads a resource every `intervalMs` milliseconds while the page is visible, and when it becomes visible after a longer time. */
export function useReloadEvery(intervalMs: number, resource: Resource<unknown>): void {
  useEffect(() => {
    let readAt = Date.now();
    const reload = () => {
      if (document.hidden || Date.now() - readAt < intervalMs) return;
      readAt = Date.now();
      void resource.reload();
    };
    const timer = setInterval(reload, intervalMs);
    document.addEventListener("visibilitychange", reload);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", reload);
    };
  }, [resource, intervalMs]);
}
