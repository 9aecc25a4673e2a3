import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import path from "node:path";

/** Buffers the bytes of one upload. */
export type Spool = {
  /** Appends bytes. Throws if the disk fails. */
  write(bytes: Uint8Array): Promise<void>;
  /** Returns all bytes. Throws if the disk fails. */
  read(): Promise<Buffer>;
  /** Frees the memory and the disk space. */
  close(): Promise<void>;
};

/**
 * Creates a spool that holds up to `memoryBytes` in memory. A longer upload goes to a file in `folder`, which is unlinked as soon as
 * it is open, so that it disappears with the process, however that ends.
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
        // Copied, since a chunk may be a view into a larger buffer, which must not stay in memory.
        inMemory.push(Uint8Array.from(bytes));
        size += bytes.length;
        return;
      }
      if (file === undefined) {
        const opened = await openUnlinked(folder);
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

async function openUnlinked(folder: string): Promise<FileHandle> {
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
