import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** A JSON cache file that the programs of a test run share: each reads it at its start, and later adds its new entries. */
export function openJsonCache(file) {
  const known = read();
  let added = 0;

  // Saves once nothing has been added for a second, or when the program ends. The timer doesn't keep it alive.
  let addedBefore = 0;
  setInterval(() => {
    if (added === addedBefore) save();
    addedBefore = added;
  }, 1_000).unref();
  process.on("exit", save);

  return {
    get: (key) => known[key],
    add(key, value) {
      known[key] = value;
      added++;
    },
  };

  function read() {
    try {
      return JSON.parse(readFileSync(file, "utf8"));
    } catch {
      return {};
    }
  }

  function save() {
    if (added === 0) return;
    added = 0;
    try {
      writeFileSync(`${file}.${process.pid}`, JSON.stringify({ ...read(), ...known }));
      renameSync(`${file}.${process.pid}`, file);
    } catch {
      // The run is over, and its folder is gone.
    }
  }
}
