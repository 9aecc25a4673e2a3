import { IncomingMessage } from "node:http";

/** Bytes of a body that are read as soon as they come. */
const promptBytes = 16 * 1_024;

/**
 * Requests whose large bodies take turns: of all together, one piece is read in each turn of the event loop. Node accepts one
 * connection a turn, so that otherwise whoever connects would wait for pieces of every body, once for each who came before.
 */
export function createPacedRequests(): typeof IncomingMessage {
  const waiting: (() => void)[] = [];

  function next(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  }

  function takeTurn(read: () => void): void {
    if (waiting.push(read) === 1) setImmediate(next);
  }

  return class PacedRequest extends IncomingMessage {
    #received = 0;

    /** False: nothing more is read until `_read` is called. */
    override push(chunk: Buffer | null): boolean {
      this.#received += chunk?.length ?? 0;
      const wantsMore = super.push(chunk);
      return wantsMore && this.#received < promptBytes;
    }

    override _read(size: number): void {
      if (this.#received < promptBytes) super._read(size);
      else takeTurn(() => super._read(size));
    }
  };
}
