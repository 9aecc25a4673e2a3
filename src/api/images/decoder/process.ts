import { writeFileSync } from "node:fs";
import { brokenImage, ImageError } from "../image-error.ts";
import type { DecoderLimits } from "../limits.ts";
import {
  type DecodeReply,
  type DecodeRequest,
  type ReencodedImage,
  type Refusal,
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

process.on("message", async ({ bytes, type, resize: wanted }: DecodeRequest) => {
  const received = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const image = await withResourceLimits(
      () => (wanted === undefined ? reencode(received, type) : resize(received, type, wanted)),
      limits,
      (error) => send({ ...toRefusal(error), isLast: true }, end),
    );
    send({ image, isLast: false });
  } catch (error) {
    send({ ...toRefusal(error), isLast: false });
  }
});

function toRefusal(error: unknown): { refusal: Refusal } {
  if (!(error instanceof ImageError)) console.error(error);
  const { status, code, message } = error instanceof ImageError ? error : brokenImage("it does not decode");
  return { refusal: { status, code, message } };
}

type Outcome = ({ image: ReencodedImage } | { refusal: Refusal }) & { isLast: boolean };

function send(outcome: Outcome, then: () => void = () => {}): void {
  const reply: DecodeReply = { ...outcome, residentBytes: process.memoryUsage.rss() };
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
