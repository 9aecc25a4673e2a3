import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import path from "node:path";

/** Where the bytes of one upload wait. */
export type Spool = {
  /** Adds bytes. Throws when the disk fails. */
  write(bytes: Uint8Array): Promise<void>;
  /** All bytes. Throws when the disk fails. */
  read(): Promise<Buffer>;
  /** Gives memory and disk back. */
  close(): Promise<void>;
};

/**
 * Keeps up to `memoryBytes` in memory; what is longer goes to a file in `folder` that has no name any more once it is
 * open, so that it is gone with the process, however that ends.
 */
export function createSpool({ folder, memoryBytes }: { folder: string; memoryBytes: number }): Spool {
  let inMemory: Uint8Array[] = [];
  let size = 0;
  let file: FileHandle | undefined;
  let isClosed = false;

  async function append(bytes: Uint8Array, handle: FileHandle): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, size + at);
      at += bytesWritten;
    }
  }

  return {
    async write(bytes) {
      if (isClosed) throw new Error("the spool is closed");
      if (file === undefined && size + bytes.length <= memoryBytes) {
        // A piece may be a view into something larger, which must not stay.
        inMemory.push(Uint8Array.from(bytes));
        size += bytes.length;
        return;
      }
      if (file === undefined) {
        const opened = await openNameless(folder);
        if (isClosed) return await opened.close();
        file = opened;
        const earlier = Buffer.concat(inMemory);
        inMemory = [];
        size = 0;
        await append(earlier, file);
        size = earlier.length;
      }
      await append(bytes, file);
      size += bytes.length;
    },

    async read() {
      if (file === undefined) return Buffer.concat(inMemory);
      const bytes = Buffer.alloc(size);
      for (let at = 0; at < size; ) {
        const { bytesRead } = await file.read(bytes, at, size - at, at);
        if (bytesRead === 0) throw new Error("the spooled upload is shorter than what was written");
        at += bytesRead;
      }
      return bytes;
    },

    async close() {
      isClosed = true;
      inMemory = [];
      const handle = file;
      file = undefined;
      await handle?.close();
    },
  };
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const name = path.join(folder, randomUUID());
  const handle = await open(name, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await unlink(name);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
