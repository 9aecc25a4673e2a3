import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { glob, mkdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../config/error-code.ts";
import { flush } from "../config/flush.ts";
import { literal, statement } from "../offchain/connection.ts";
import type { Engine } from "./engine.ts";

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

/** A store in a folder, which must be on the same disk as the unfinished files. */
function localStore(folder: string): Store {
  const locate = (file: string) => path.join(folder, file);
  return {
    name: folder,
    locate,
    async put(finished, file) {
      const target = locate(file);
      await makeFolder(path.dirname(target));
      await flush(finished);
      await rename(finished, target);
      await flush(path.dirname(target));
    },
    readText: (file) => ifThere(readFile(locate(file), "utf8")),
    check: (file) => ifThere(checksum(locate(file))),
    async list() {
      const files: string[] = [];
      for await (const file of glob("*/chain=*/day=*/*.parquet", { cwd: folder })) files.push(file);
      return files.sort();
    },
  };
}

/** Makes a folder, and those above it that don't exist. Resolves once they are all on disk: each is an entry of the one above. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) {
    await flush(path.dirname(made));
  }
}

async function ifThere<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** A store under a prefix of an object store, through DuckDB. Writing an object is atomic. */
function objectStore(prefix: string, engine: Engine): Store {
  const locate = (file: string) => `${prefix.replace(/\/+$/, "")}/${file}`;
  const quoted = (file: string) => statement`${literal(file)}`;
  const isThere = async (file: string) =>
    (await engine.rows(`select file from glob(${quoted(locate(file))})`)).length > 0;
  return {
    name: prefix,
    locate,
    async put(finished, file) {
      await engine.run(
        `copy (select content from read_blob(${quoted(finished)})) to ${quoted(locate(file))} (format blob)`,
      );
      await rm(finished);
    },
    async readText(file) {
      if (!(await isThere(file))) return undefined;
      const [row] = await engine.rows<{ content: string }>(
        `select content from read_text(${quoted(locate(file))})`,
      );
      return row?.content;
    },
    async check(file) {
      if (!(await isThere(file))) return undefined;
      const [row] = await engine.rows<{ sha256: string; bytes: bigint }>(
        `select sha256(content) as sha256, size as bytes from read_blob(${quoted(locate(file))})`,
      );
      return row && { sha256: row.sha256, bytes: Number(row.bytes) };
    },
    async list() {
      const rows = await engine.rows<{ file: string }>(
        `select file from glob(${quoted(locate("*/chain=*/day=*/*.parquet"))}) order by 1`,
      );
      return rows.map(({ file }) => file.slice(locate("").length));
    },
  };
}

/** Computes a file's SHA-256 and length. */
export async function checksum(file: string): Promise<FileCheck> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest("hex"), bytes };
}
