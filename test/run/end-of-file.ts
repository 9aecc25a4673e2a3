const closing: (() => Promise<unknown>)[] = [];

/** Closes what the tests of a file share, after the last of them. */
export function atEndOfFile(close: () => Promise<unknown>): void {
  closing.push(close);
}

export async function closeSharedByFile(): Promise<void> {
  await Promise.all(closing.splice(0).map((close) => close()));
}
