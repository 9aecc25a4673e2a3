import { IncomingMessage } from "node:http";
import { spreadOverTicks } from "../concurrency/spread-over-ticks.ts";

/** Bytes of a body that are read as soon as they arrive. */
const promptBytes = 16 * 1_024;

/**
 * Makes the large bodies of all requests take turns: one piece in total is read in each turn of the event loop. Node accepts one
 * connection per turn, so otherwise each new connection would wait for a piece of every body, once per connection before it.
 */
export function createPacedRequests(): typeof IncomingMessage {
  const nextTurn = spreadOverTicks();

  return class PacedRequest extends IncomingMessage {
    #received = 0;

    /** Returning false pauses reading until `_read` is called. */
    override push(chunk: Buffer | null): boolean {
      this.#received += chunk?.length ?? 0;
      const wantsMore = super.push(chunk);
      return wantsMore && this.#received < promptBytes;
    }

    override _read(size: number): void {
      if (this.#received < promptBytes) super._read(size);
      else void nextTurn().then(() => super._read(size));
    }
  };
}
