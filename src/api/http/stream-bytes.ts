const chunkBytes = 64 * 1_024;

/** Shared bytes, chunk by chunk as the client takes them: sent in one piece, each response would have a copy of its own. */
export function streamBytes(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(sent, sent + chunkBytes));
        sent += chunkBytes;
        if (sent >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
