import { setImmediate as nextTick } from "node:timers/promises";

const chunkBytes = 64 * 1_024;

/**
 * Resolves for one download per tick of the event loop. As long as the kernel takes the bytes, writing them never waits, so all
 * downloads together would hold up every other request.
 */
let turn: Promise<void> = Promise.resolve();
function nextTurn(): Promise<void> {
  turn = turn.then(() => nextTick());
  return turn;
}

/** Streams shared bytes in chunks, as fast as the client reads them. Sent in one piece, each response would hold a copy. */
export function streamBytes(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = 0;
  let isCancelled = false;
  return new ReadableStream(
    {
      async pull(controller) {
        await nextTurn();
        if (isCancelled) return;
        controller.enqueue(bytes.subarray(sent, sent + chunkBytes));
        sent += chunkBytes;
        if (sent >= bytes.length) controller.close();
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
}
