import { unwatchFile, watchFile } from "node:fs";
import { type DenyList, parseDenyList } from "../../../config/deny-list/deny-list.ts";
import { readDenyList } from "../../../config/deny-list/read-deny-list.ts";

/** How often to look whether the file has changed: this notices mounted files and replaced ones too. */
const everyMs = 1_000;

export type WatchedDenyList = { current(): DenyList; stop(): void };

/**
 * Reads a deny list now and whenever its file changes, with a line in the log. One that is wrong, or gone, is reported, and the last
 * good one stays. Without a file nothing is denied. Throws an Error where the first one is wrong.
 */
export function watchDenyList(
  file: string | undefined,
  log: (line: string) => void = console.log,
): WatchedDenyList {
  if (file === undefined) return { current: () => nothing, stop() {} };
  let list = readDenyList(file);

  const reload = () => {
    try {
      list = readDenyList(file);
      log(`moderation: ${list.size} entries read from ${file}`);
    } catch (error) {
      log(`moderation: the deny list is wrong, and the last good one stays: ${(error as Error).message}`);
    }
  };
  watchFile(file, { interval: everyMs, persistent: false }, reload);
  return { current: () => list, stop: () => unwatchFile(file, reload) };
}

const nothing = parseDenyList("");
