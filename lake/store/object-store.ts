import { rm } from "node:fs/promises";
import { literal, statement } from "../../offchain/statement.ts";
import type { Engine } from "../engine.ts";
import type { Store } from "./store.ts";

/** A store under a prefix of an object store, through DuckDB. Writing an object is atomic. */
export function objectStore(prefix: string, engine: Engine): Store {
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
      const found = await engine.rows<{ file: string }>(
        `select file from glob(${quoted(locate("*/chain=*/day=*/*.parquet"))}) order by 1`,
      );
      return found.map(({ file }) => file.slice(locate("").length));
    },
  };
}
