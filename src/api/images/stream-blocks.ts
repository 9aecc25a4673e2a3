import type { ServerResponse } from "node:http";
import type { Slots } from "../concurrency/slots.ts";
import { spreadOverTicks } from "../concurrency/spread-over-ticks.ts";

/** Bytes handed to a connection at a time. */
const chunkBytes = 65_536;

/** In each tick of the event loop, one block is read, of all images together. */
const nextTick = spreadOverTicks();

export type StreamOptions = {
  slots: Slots;
  /** The client that the slot counts for. */
  owner: string;
  /** The underlying response, which is destroyed if the body can't be completed. */
  outgoing: ServerResponse | undefined;
};

/**
 * Creates a response body from blocks. Each is read once the client has taken the previous one, so that a stalled client holds only
 * one block. The body holds a slot until it ends, is cancelled, or is cut off.
 */
export function streamBlocks(
  blocks: AsyncGenerator<Uint8Array>,
  { slots, owner, outgoing }: StreamOptions,
): ReadableStream<Uint8Array> {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let block = new Uint8Array();
  let hasEnded = false;
  const slot = slots.take(owner, cutOff);

  function end(): void {
    hasEnded = true;
    slot.release();
    block = new Uint8Array();
    void blocks.return(undefined);
  }

  /** The body will be shorter than its Content-Length: destroying the connection lets the client see that. */
  function cutOff(): void {
    end();
    if (outgoing === undefined) controller.error(new Error("the image could not be sent to its end"));
    else outgoing.destroy();
  }

  outgoing?.once("close", end);
  if (outgoing?.destroyed) end();

  return new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
      },
      async pull() {
        try {
          if (block.length === 0) {
            await nextTick();
            const next = await blocks.next();
            if (hasEnded) return;
            if (next.done) {
              end();
              return controller.close();
            }
            block = next.value as Uint8Array<ArrayBuffer>;
            slot.touch();
          }
          controller.enqueue(block.subarray(0, chunkBytes));
          block = block.subarray(chunkBytes);
        } catch (error) {
          console.error(`images: an image can't be sent to its end: ${error}`);
          cutOff();
        }
      },
      cancel: end,
    },
    // No read-ahead.
    { highWaterMark: 0 },
  );
}
