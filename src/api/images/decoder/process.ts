import { writeFileSync } from "node:fs";
import { brokenImage, ImageError } from "../image-error.ts";
import type { DecoderLimits } from "../limits.ts";
import type { DecodeReply, DecodeRequest, ReencodedImage, Refusal } from "./messages.ts";
import { reencode } from "./re-encode.ts";
import { resize } from "./resize.ts";
import { withResourceLimits } from "./with-resource-limits.ts";

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
