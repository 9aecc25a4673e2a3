import { writeFileSync } from "node:fs";
import { brokenImage, ImageError } from "../image-error.ts";
import type { DecoderLimits } from "../limits.ts";
import { guarded } from "./guard.ts";
import type { DecodeReply, DecodeRequest, ReencodedImage, Refusal } from "./messages.ts";
import { reencode } from "./re-encode.ts";
import { resize } from "./resize.ts";

/**
 * A decoder process: whatever a hostile file does to a native decoder happens here, in a process without the service's
 * environment, and ends with it. One image at a time; the limits are its first argument.
 */
const limits: DecoderLimits = JSON.parse(process.argv[2] ?? "");

// Should the machine run out of memory, Linux ends this process first.
try {
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // Another system, or one that doesn't let us.
}

// exit() would wait for a decoder thread that is in the middle of something.
const end = () => process.kill(process.pid, "SIGKILL");
// The service is gone, however it went.
process.on("disconnect", end);

process.on("message", async ({ bytes, type, resize: wanted }: DecodeRequest) => {
  const received = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const image = await guarded(
      () => (wanted === undefined ? reencode(received, type) : resize(received, type, wanted)),
      limits,
      (error) => send({ ...refusalOf(error), isLast: true }, end),
    );
    send({ image, isLast: false });
  } catch (error) {
    send({ ...refusalOf(error), isLast: false });
  }
});

function refusalOf(error: unknown): { refusal: Refusal } {
  if (!(error instanceof ImageError)) console.error(error);
  const { status, code, message } = error instanceof ImageError ? error : brokenImage("it does not decode");
  return { refusal: { status, code, message } };
}

type Outcome = ({ image: ReencodedImage } | { refusal: Refusal }) & { isLast: boolean };

function send(outcome: Outcome, then: () => void = () => {}): void {
  const reply: DecodeReply = { ...outcome, residentBytes: process.memoryUsage.rss() };
  process.send?.(reply, undefined, undefined, then);
}
