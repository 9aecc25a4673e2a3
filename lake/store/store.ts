import type { Engine } from "../engine.ts";
import { localStore } from "./local-store.ts";
import { objectStore } from "./object-store.ts";

/** Where finished files go. */
export type Store = {
  /** As a user would name it. */
  name: string;
  /** Where DuckDB finds a file of it. */
  locate: (file: string) => string;
  /** Moves a finished file there, under a relative path: it is there whole, or not at all. */
  put: (finished: string, file: string) => Promise<void>;
  /** The text of a file, undefined if there is none. */
  readText: (file: string) => Promise<string | undefined>;
  /** SHA-256 and length of a file, undefined if there is none. */
  check: (file: string) => Promise<FileCheck | undefined>;
  /** Paths of the Parquet files that are there. */
  list: () => Promise<string[]>;
};

export type FileCheck = { sha256: string; bytes: number };

export const isObjectStore = (target: string) => target.startsWith("s3://");

export function openStore(target: string, engine: Engine): Store {
  return isObjectStore(target) ? objectStore(target, engine) : localStore(target);
}
