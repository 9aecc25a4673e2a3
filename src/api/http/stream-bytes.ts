import { spreadOverTicks } from "../concurrency/spread-over-ticks.ts";

const chunkBytes = 64 * 1_024;

/** As long as the kernel takes the bytes, writing them never waits: all downloads together would hold up every other request. */
const nextTick = spreadOverTicks();

/** Streams shared bytes in chunks, as fast as the client reads them. Sent in one piece, each response would hold a copy. */
export function streamBytes(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = 0;
  let isCancelled = false;
  return new ReadableStream(
    {
      async pull(controller) {
        await nextTick();
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
