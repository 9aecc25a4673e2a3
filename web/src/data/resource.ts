import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** What a page reads, while it is read, and when it could not be read. The last data stay while they are read anew. */
export type Resource<Data> = {
  data: Signal<Data | undefined>;
  error: Signal<unknown>;
  /** Reads again. What is asked while one is read waits for it, and then reads once. */
  reload: () => Promise<void>;
};

/** Going back shows at once what was shown. */
const mostKept = 60;
const kept = new Map<string, Resource<unknown> & { readAt: number }>();

/** Milliseconds for which what was read is not read again when a page opens. */
const freshFor = 2_000;

/** The resource under this key, read when a component shows it. */
export function useResource<Data>(key: string, load: () => Promise<Data>): Resource<Data> {
  const resource = resourceOf(key, load);
  useEffect(() => {
    const entry = kept.get(key);
    if (entry === undefined || Date.now() - entry.readAt > freshFor) void resource.reload();
  }, [key]);
  return resource;
}

function resourceOf<Data>(key: string, load: () => Promise<Data>): Resource<Data> {
  const known = kept.get(key) as Resource<Data> | undefined;
  if (known !== undefined) {
    // The least recently shown is the first to go.
    kept.delete(key);
    kept.set(key, known as Resource<unknown> & { readAt: number });
    return known;
  }
  const data = signal<Data | undefined>(undefined);
  const error = signal<unknown>(undefined);
  let reading: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const read = async () => {
    try {
      data.value = await load();
      error.value = undefined;
      entry.readAt = Date.now();
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
  const entry = { data, error, reload, readAt: 0 };
  kept.set(key, entry as Resource<unknown> & { readAt: number });
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return entry;
}
