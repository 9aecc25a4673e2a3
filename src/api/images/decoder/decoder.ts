import { availableParallelism } from "node:os";
import { FairQueue } from "../../../../salt-search/fair-queue.ts";
import { ImageError, tooBusy } from "../image-error.ts";
import { type DecoderLimits, decoderLimits } from "../limits.ts";
import { type DecoderChild, DecoderDiedError, startDecoderChild } from "./child.ts";
import type { DecodeRequest, ReencodedImage } from "./messages.ts";

/** Leaves one core for the service. */
const defaultProcesses = Math.max(1, Math.min(2, availableParallelism() - 1));

/** Bytes that each waiting image counts for besides its file, so that the number of small ones is limited too. */
const overheadBytes = 65_536;

type Job = {
  request: DecodeRequest;
  resolve: (image: ReencodedImage) => void;
  reject: (error: Error) => void;
};

export type ImageDecoder = ReturnType<typeof createImageDecoder>;

/**
 * Decodes and re-encodes images in separate processes, so that even the worst file only fails its own upload. The processes start on
 * the first image, are reused, and are replaced after a failure or many images.
 */
export function createImageDecoder({
  processes = defaultProcesses,
  limits = decoderLimits,
}: {
  processes?: number;
  limits?: DecoderLimits;
} = {}) {
  const waiting = new FairQueue<Job>(weigh);
  const idle: DecoderChild[] = [];
  const all = new Set<DecoderChild>();
  let busy = 0;
  let isClosed = false;
  let hasStarted = false;

  /** Starts one image in each tick of the event loop, which a process blocks for as long as it takes to fork. */
  function dispatch(): void {
    const job = hasStarted || busy === processes ? undefined : waiting.shift();
    if (job === undefined) return;
    hasStarted = true;
    void run(job);
    setImmediate(() => {
      hasStarted = false;
      dispatch();
    });
  }

  async function run({ request, resolve, reject }: Job): Promise<void> {
    busy++;
    let child: DecoderChild | undefined;
    try {
      child = take();
      resolve(await child.decode(request));
    } catch (error) {
      reject(error instanceof ImageError ? error : decoderFailed(error));
    }
    if (child?.isReusable()) idle.push(child);
    else if (child !== undefined) await discard(child);
    busy--;
    dispatch();
  }

  /** Throws if the system refuses to start a process. */
  function take(): DecoderChild {
    for (let child = idle.pop(); child !== undefined; child = idle.pop()) {
      if (child.isReusable()) return child;
      void discard(child);
    }
    const child = startDecoderChild(limits);
    all.add(child);
    return child;
  }

  async function discard(child: DecoderChild): Promise<void> {
    await child.close();
    all.delete(child);
  }

  return {
    /** Throws an ImageError: 413 or 422 for the image, 503 if too many wait or the decoder fails. */
    async decode(request: DecodeRequest, client = ""): Promise<ReencodedImage> {
      if (isClosed) throw decoderFailed(new DecoderDiedError("the service is ending"));
      return await new Promise<ReencodedImage>((resolve, reject) => {
        const job = { request, resolve, reject };
        while (waiting.weight + weigh(job) > limits.waitingBytes) {
          const pushedOut = waiting.evictFor(client, weigh(job));
          if (pushedOut === undefined) throw tooManyWait();
          pushedOut.reject(tooManyWait());
        }
        waiting.push(client, job);
        dispatch();
      });
    },
    /** The ids of the running processes. */
    pids: () => [...all].map(({ pid }) => pid).filter((pid) => pid !== undefined),
    /** Ends all processes. Images that are being decoded or waiting are refused with 503. */
    async close(): Promise<void> {
      isClosed = true;
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift())
        job.reject(decoderFailed(new DecoderDiedError("the service is ending")));
      await Promise.all([...all].map(discard));
    },
  };
}

function weigh({ request }: Job): number {
  return request.bytes.length + overheadBytes;
}

const tooManyWait = () => tooBusy("Too many images are being decoded: try again in a few seconds.");

function decoderFailed(cause: unknown): ImageError {
  return new ImageError(
    503,
    "image_decoder_failed",
    "The image could not be decoded: upload it again. If that fails too, re-save it in an image editor first.",
    { retryAfter: 2, cause },
  );
}
