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
 * @returns a function that ends it: what comes after that is ignored
 */
export function readSoon<Answer>(
  waitMs: number,
  read: () => Promise<Answer>,
  { onAnswer, onFailure }: Outcome<Answer>,
): () => void {
  let isStale = false;
  const start = () =>
    read().then(
      (answer) => {
        if (!isStale) onAnswer(answer);
      },
      (error: unknown) => {
        if (!isStale && onFailure(error)) timer = setTimeout(start, retryMs);
      },
    );
  let timer = setTimeout(start, waitMs);
  return () => {
    isStale = true;
    clearTimeout(timer);
  };
}
