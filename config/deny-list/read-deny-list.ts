import { readFileSync } from "node:fs";
import { type DenyList, parseDenyList } from "./deny-list.ts";

/** Reads a deny list. Throws an Error whose message names the file and what is wrong. */
export function readDenyList(file: string): DenyList {
  try {
    return parseDenyList(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message.replaceAll("\n", "; ")}`, { cause: error });
  }
}
