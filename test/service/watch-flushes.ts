import { type FileHandle, open } from "node:fs/promises";
import { onTestFinished, vi } from "vitest";

/** Returns a list to which each file and folder is added, by its inode, once it is on disk. */
export async function watchFlushes(): Promise<number[]> {
  const flushed: number[] = [];
  const handle = await open(import.meta.dirname);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = prototype;
  const spy = vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
    await sync.call(this);
    flushed.push((await this.stat()).ino);
  });
  onTestFinished(() => void spy.mockRestore());
  return flushed;
}
