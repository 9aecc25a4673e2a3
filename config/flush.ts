import { open } from "node:fs/promises";

/** Waits until a file's content, or the names in a folder, are on the disk. */
export async function flush(place: string): Promise<void> {
  const handle = await open(place, "r");
  await handle.sync().finally(() => handle.close());
}
