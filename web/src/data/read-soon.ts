/** Milliseconds after a failure that may pass. */
const retryMs = 3_000;

type Outcome<Answer> = {
  onAnswer: (answer: Answer) => void;
  /** Returns whether to try again. */
  onFailure: (error: unknown) => boolean;
};

/**
 * Reads what depends on something that is being typed, once nothing more was typed for a while, and again after failures that may pass.
 *
 * @returns a function that ends it, and aborts the signal that `read` gets: what comes after that is ignored
 */
export function readSoon<Answer>(
  waitMs: number,
  read: (signal: AbortSignal) => Promise<Answer>,
  { onAnswer, onFailure }: Outcome<Answer>,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const start = () =>
    read(signal).then(
      (answer) => {
        if (!signal.aborted) onAnswer(answer);
      },
      (error: unknown) => {
        if (!signal.aborted && onFailure(error)) timer = setTimeout(start, retryMs);
      },
    );
  let timer = setTimeout(start, waitMs);
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}
