const closing: (() => Promise<unknown>)[] = [];

/** Has what the tests of a file share closed after the last of them. */
export function atEndOfFile(close: () => Promise<unknown>): void {
  closing.push(close);
}

export async function endFile(): Promise<void> {
  await Promise.all(closing.splice(0).map((close) => close()));
}
