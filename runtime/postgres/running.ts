import { readFile } from "node:fs/promises";
import path from "node:path";
import { codeOf, fileError } from "../start-error.ts";
import { databaseUrl } from "./database.ts";
import { lockHolder } from "./instance-lock.ts";

/**
 * The URL of the embedded Postgres that another process runs in this data folder, or undefined where none does. Throws a
 * StartError when its password can't be read.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  if ((await lockHolder(dataDir)) === undefined) return undefined;
  try {
    const [port, password] = await Promise.all(
      ["port", "password"].map(async (name) => (await readFile(path.join(dataDir, name), "utf8")).trim()),
    );
    return databaseUrl(Number(port), password ?? "");
  } catch (error) {
    // It is only starting.
    if (codeOf(error) === "ENOENT") return undefined;
    throw fileError(error, dataDir);
  }
}
