/** Heartbeats come every 15 seconds. Milliseconds without any after which a connection counts as dead. */
const longestSilence = 40_000;

/** Passes a body on, and reports when it has ended, failed, or gone silent, in which case it is ended. */
export function watchBody(body: ReadableStream<Uint8Array>, onLost: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const over = () => {
    clearTimeout(silence);
    onLost();
  };
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => void reader.cancel().catch(ignoreLateError), longestSilence);
  };
  return new ReadableStream({
    async pull(controller) {
      listen();
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        over();
        controller.close();
      } catch (error) {
        over();
        controller.error(error);
      }
    },
    cancel(reason) {
      clearTimeout(silence);
      return reader.cancel(reason);
    },
  });
}

/** Of a body that nobody reads any more. */
const ignoreLateError = () => {};
