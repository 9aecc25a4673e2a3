/** A connection counts as dead after this time without data. Heartbeats arrive every 15 seconds. */
const maxSilenceMs = 40_000;

/** Passes a body through and reports when it has ended, failed or gone silent. A silent one is closed. */
export function watchBody(body: ReadableStream<Uint8Array>, onLost: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const lost = () => {
    clearTimeout(silence);
    onLost();
  };
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => void reader.cancel().catch(ignoreLateError), maxSilenceMs);
  };
  return new ReadableStream({
    async pull(controller) {
      listen();
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        lost();
        controller.close();
      } catch (error) {
        lost();
        controller.error(error);
      }
    },
    cancel(reason) {
      clearTimeout(silence);
      return reader.cancel(reason);
    },
  });
}

/** Nobody reads the body any more. */
const ignoreLateError = () => {};
