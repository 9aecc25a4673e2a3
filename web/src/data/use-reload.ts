import { useEffect, useRef } from "preact/hooks";
import type { Resource } from "./resource.ts";

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
