import { writeFileSync } from "node:fs";
import { brokenImage, ImageError } from "../image-error.ts";
import type { DecoderLimits } from "../limits.ts";
import {
  type ImageMessage,
  type ReencodedImage,
  type Refusal,
  type ReplyMessage,
  type RequestMessage,
  readBytes,
  tooComplex,
} from "./messages.ts";
import { reencode, resize } from "./re-encode.ts";

/**
 * A decoder process. Whatever a hostile file does to a native decoder happens here, in a process without the service's environment,
 * and ends with the process. It handles one image at a time; its first argument has the limits.
 */
const limits: DecoderLimits = JSON.parse(process.argv[2] ?? "");

// If the machine runs out of memory, Linux kills this process first.
try {
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // Not Linux, or not permitted.
}

// exit() would wait for a busy decoder thread.
const end = () => process.kill(process.pid, "SIGKILL");
// The service has ended, by whatever means.
process.on("disconnect", end);

process.on("message", async ({ size, type, resize: wanted }: RequestMessage) => {
  const received = await readBytes(process.stdin, size);
  try {
    const { bytes, ...image } = await withResourceLimits<ReencodedImage>(
      () => (wanted === undefined ? reencode(received, type) : resize(received, type, wanted)),
      limits,
      (error) => send({ ...toRefusal(error), isLast: true }, end),
    );
    send({ image: { ...image, size: bytes.length }, isLast: false });
    process.stdout.write(bytes);
  } catch (error) {
    send({ ...toRefusal(error), isLast: false });
  }
});

function toRefusal(error: unknown): { refusal: Refusal } {
  if (!(error instanceof ImageError)) console.error(error);
  const { status, code, message } = error instanceof ImageError ? error : brokenImage("it does not decode");
  return { refusal: { status, code, message } };
}

type Outcome = Pick<ReplyMessage, "isLast"> & ({ image: ImageMessage } | { refusal: Refusal });

function send(outcome: Outcome, then: () => void = () => {}): void {
  const reply: ReplyMessage = { ...outcome, residentBytes: process.memoryUsage.rss() };
  process.send?.(reply, undefined, undefined, then);
}

const POLL_MS = 10;

/**
 * Watches the memory and processor time of this process while `work` runs, and calls `onExceeded` once if either exceeds its limit.
 * libvips works in separate threads, so this one is free to poll.
 */
async function withResourceLimits<Result>(
  work: () => Promise<Result>,
  { residentBytes, cpuSeconds }: Pick<DecoderLimits, "residentBytes" | "cpuSeconds">,
  onExceeded: (error: ImageError) => void,
): Promise<Result> {
  const usageBefore = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(usageBefore);
    const exceeded =
      process.memoryUsage.rss() > residentBytes
        ? "memory"
        : user + system > cpuSeconds * 1e6
          ? "time"
          : undefined;
    if (exceeded === undefined) return;
    clearInterval(timer);
    onExceeded(tooComplex(exceeded));
  }, POLL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
