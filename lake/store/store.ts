import type { Engine } from "../engine.ts";
import { localStore } from "./local-store.ts";
import { objectStore } from "./object-store.ts";

/** Where finished files go. */
export type Store = {
  /** The name by which a user knows it. */
  name: string;
  /** Returns the path or URL by which DuckDB finds a file. */
  locate: (file: string) => string;
  /** Moves a finished file to a relative path, atomically. */
  put: (finished: string, file: string) => Promise<void>;
  /** Reads a file's text; undefined if it doesn't exist. */
  readText: (file: string) => Promise<string | undefined>;
  /** Computes a file's SHA-256 and length; undefined if it doesn't exist. */
  check: (file: string) => Promise<FileCheck | undefined>;
  /** Lists the relative paths of all Parquet files. */
  list: () => Promise<string[]>;
};

export type FileCheck = { sha256: string; bytes: number };

export const isObjectStore = (target: string) => target.startsWith("s3://");

export function openStore(target: string, engine: Engine): Store {
  return isObjectStore(target) ? objectStore(target, engine) : localStore(target);
}
