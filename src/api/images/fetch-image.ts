import { createFairSemaphore } from "../concurrency/semaphore.ts";
import {
  firstReachable,
  noAnswerWithin,
  type Outbound,
  OutboundError,
  type OutboundTarget,
} from "../http/outbound.ts";
import { ImageError, tooBusy, unwritable, uploadLimitError } from "./image-error.ts";
import { fetchingLimits, imageLimits } from "./limits.ts";
import { type ReceivingOptions, tooLarge } from "./receive-image.ts";

/**
 * Reads the image at a URL that a client chose. Nothing that the answer says about itself is believed, and reading stops at the first
 * byte beyond the limit. Throws an ImageError: 422 `image_url_failed` without an image in time, 413 for more than 5 MB, 503 if the disk
 * fails or too many wait.
 */
export type FetchImage = (
  url: URL,
  options: Omit<ReceivingOptions, "limits"> & {
    /** Who gave the URL, for taking turns. */
    client: string;
    timeoutMs?: number;
  },
) => Promise<void>;

export function createImageFetcher(outbound: Outbound): FetchImage {
  const refuse = () =>
    tooBusy("Too many images of this server are being fetched: try again in a few seconds.");
  /** So that clients together can't send one server many requests at a time. */
  const limitPerAddress = createFairSemaphore({ ...fetchingLimits.perAddress, refuse });
  /** So that of these requests, which a CDN shares among many sites, one client leaves some to the others. */
  const limitPerClient = createFairSemaphore({ ...fetchingLimits.perClientAndAddress, refuse });

  async function fetchFrom(
    target: OutboundTarget,
    { spool, signal, onProgress = () => {} }: Parameters<FetchImage>[1],
    timeoutMs: number,
  ): Promise<void> {
    const headers = {
      accept: "image/*",
      "accept-encoding": "identity",
      "user-agent": "launchpad-indexer-images/1",
    };
    const request = { target, method: "GET" as const, headers, timeoutMs, signal };
    await outbound.send(request, async (answer) => {
      if (answer.status !== 200) throw failed(describeStatus(answer.status));
      let received = 0;
      for await (const chunk of answer.chunks) {
        received += chunk.length;
        if (received > imageLimits.bytes) throw tooLarge();
        await spool.write(chunk).catch((cause) => {
          throw unwritable(cause);
        });
        onProgress();
      }
    });
  }

  return async (url, options) => {
    try {
      const { client, signal, timeoutMs = fetchingLimits.timeoutMs } = options;
      let timeLeft = timeoutMs;
      /** Takes the time of what isn't waiting for a turn. */
      const timed = async <Result>(run: () => Promise<Result>): Promise<Result> => {
        const startedAt = performance.now();
        return await run().finally(() => {
          timeLeft -= performance.now() - startedAt;
        });
      };
      const targets = await timed(() => outbound.resolve(url, timeLeft));
      await firstReachable(targets, async (target) => {
        const { address } = target;
        const fetchNow = async () => {
          if (timeLeft <= 0) throw noAnswerWithin(timeoutMs);
          return await timed(() => fetchFrom(target, options, timeLeft));
        };
        const fetchInTurn = () => limitPerAddress(address, fetchNow, signal);
        await limitPerClient(`${client} ${address}`, fetchInTurn, signal);
      });
    } catch (error) {
      if (options.signal?.aborted) throw uploadLimitError("everyone");
      if (error instanceof OutboundError) throw failed(error.message);
      throw error;
    }
  };
}

const failed = (reason: string) =>
  new ImageError(422, "image_url_failed", `The image can't be fetched from its URL: ${reason}.`);

function describeStatus(status: number): string {
  return status >= 300 && status < 400
    ? `the server answered ${status}, and redirects are not followed`
    : `the server answered ${status}`;
}
