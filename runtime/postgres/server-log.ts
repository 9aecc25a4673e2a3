import { open } from "node:fs/promises";

const TAIL_BYTES = 16_384;

/** The log from a position on (its last 16 KB at most), or an empty string when it cannot be read. */
export async function readLog(file: string, from = 0): Promise<string> {
  try {
    const handle = await open(file, "r");
    try {
      const { size } = await handle.stat();
      const start = Math.max(from, size - TAIL_BYTES);
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(Math.max(0, size - start)),
        0,
        undefined,
        start,
      );
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return "";
  }
}

/** The line that says why the server ended, without the time and process number before it. */
export function reasonIn(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const line =
    lines.findLast((text) => /\b(FATAL|PANIC):/.test(text)) ?? lines.at(-1) ?? "it wrote no reason";
  return line.replace(/^.*?\b(FATAL|PANIC|ERROR|LOG):\s*/, "").trim();
}
