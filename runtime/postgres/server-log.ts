import { open } from "node:fs/promises";

const TAIL_BYTES = 16_384;

/** The log from a position to its end, at most the last 16 KB; an empty string if it can't be read. */
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

/** The line that says why the server ended, without its timestamp and process id. */
export function extractFatalReason(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const line =
    lines.findLast((text) => /\b(FATAL|PANIC):/.test(text)) ?? lines.at(-1) ?? "its log gives no reason";
  return line.replace(/^.*?\b(FATAL|PANIC|ERROR|LOG):\s*/, "").trim();
}
