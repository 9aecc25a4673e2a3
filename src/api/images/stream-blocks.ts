import type { ServerResponse } from "node:http";
import type { Slots } from "../concurrency/slots.ts";
import { spreadOverTicks } from "../concurrency/spread-over-ticks.ts";

/** Bytes that are handed to a connection at a time. */
const pieceBytes = 65_536;

/** Of all images together, one block is read in a turn of the event loop. */
const nextTick = spreadOverTicks();

export type StreamOptions = {
  slots: Slots;
  /** Whose slot it takes. */
  owner: string;
  /** The answer that the body is for, which is cut off when the body can't go on. */
  outgoing: ServerResponse | undefined;
};

/**
 * A response body of these blocks: each is read when the client has taken the one before, so that a client that takes
 * nothing holds one block. It holds a slot until it is read to its end, given up or cut off.
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

  /** What was promised by Content-Length doesn't come: the client has to see that. */
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
          controller.enqueue(block.subarray(0, pieceBytes));
          block = block.subarray(pieceBytes);
        } catch (error) {
          console.error(`images: an image can't be sent to its end: ${error}`);
          cutOff();
        }
      },
      cancel: end,
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}
