import { IncomingMessage } from "node:http";
import { spreadOverTicks } from "../concurrency/spread-over-ticks.ts";

/** Bytes of a body that are read as soon as they come. */
const promptBytes = 16 * 1_024;

/**
 * Requests whose large bodies take turns: of all together, one piece is read in each turn of the event loop. Node accepts one
 * connection a turn, so that otherwise whoever connects would wait for pieces of every body, once for each who came before.
 */
export function createPacedRequests(): typeof IncomingMessage {
  const turn = spreadOverTicks();

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
      else void turn().then(() => super._read(size));
    }
  };
}
