import { unwatchFile, watchFile } from "node:fs";
import { type DenyList, parseDenyList, readDenyList } from "../../../config/deny-list.ts";
import { looksOf } from "../../domain/look-alike.ts";

/** Polling, unlike file system events, also notices changes of mounted files and replaced files. */
const pollIntervalMs = 1_000;

export type WatchedDenyList = { current(): DenyList; stop(): void };

/**
 * Reads a deny list now and whenever its file changes, and logs each reload. If the file becomes invalid or disappears, that
 * is logged and the last valid list stays in force. Without a file nothing is denied. Throws if the list is invalid at first.
 */
export function watchDenyList(
  file: string | undefined,
  log: (line: string) => void = console.log,
): WatchedDenyList {
  if (file === undefined) return { current: () => emptyDenyList, stop() {} };
  let list = readDenyList(file, looksOf);

  const reload = () => {
    try {
      list = readDenyList(file, looksOf);
      log(`moderation: ${list.size} entries read from ${file}`);
    } catch (error) {
      log(
        `moderation: the deny list is invalid, the last valid one stays in force: ${error instanceof Error ? error.message : error}`,
      );
    }
  };
  watchFile(file, { interval: pollIntervalMs, persistent: false }, reload);
  return { current: () => list, stop: () => unwatchFile(file, reload) };
}

const emptyDenyList = parseDenyList("");
