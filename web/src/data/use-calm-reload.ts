import { useEffect, useRef } from "preact/hooks";
import type { Resource } from "./resource.ts";

/** Reads resources anew after something happened, but not sooner than so many milliseconds after it: a busy market has many events a second. */
export function useReloadAfter(paceMs: number, resources: Resource<unknown>[]): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const current = useRef(resources);
  current.current = resources;
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      for (const resource of current.current) void resource.reload();
    }, paceMs);
  };
}

/** Reads a resource anew every so many milliseconds while its page is visible, and when it becomes visible after a longer time. */
export function useReloadEvery(paceMs: number, resource: Resource<unknown>): void {
  useEffect(() => {
    let readAt = Date.now();
    const reload = () => {
      if (document.hidden || Date.now() - readAt < paceMs) return;
      readAt = Date.now();
      void resource.reload();
    };
    const timer = setInterval(reload, paceMs);
    document.addEventListener("visibilitychange", reload);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", reload);
    };
  }, [resource, paceMs]);
}
