import { type ChildProcess, fork } from "node:child_process";
import { setPriority } from "node:os";
import { brokenImage, ImageError } from "../image-error.ts";
import type { DecoderLimits } from "../limits.ts";
import type { DecodeReply, DecodeRequest, ReencodedImage } from "./messages.ts";
import { tooComplex } from "./refusals.ts";

/** The process ended without an answer, and not because of the image as far as one can tell. */
export class DecoderDiedError extends Error {
  override name = "DecoderDiedError";
}

export type DecoderChild = ReturnType<typeof startDecoderChild>;

const COMPLAINTS_LENGTH = 2_000;

const environment = {
  // Little memory that malloc keeps for later, and one thread: there is one image at a time.
  MALLOC_ARENA_MAX: "2",
  UV_THREADPOOL_SIZE: "1",
  // No temporary files.
  VIPS_DISC_THRESHOLD: "1g",
  // Nothing on stderr for each oddity in an image.
  VIPS_WARNING: "off",
};

/** Signals of a process that tripped over its own input. */
const crashes: (NodeJS.Signals | null)[] = ["SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP"];

/** A process that decodes one image at a time. It keeps this one alive while it has something to do, and not longer. */
export function startDecoderChild(limits: DecoderLimits) {
  const child = fork(new URL("./process.ts", import.meta.url), [JSON.stringify(limits)], {
    cwd: "/",
    // No password and no key of ours.
    env: environment,
    execArgv: ["--max-old-space-size=64", "--disable-warning=ExperimentalWarning"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let isAlive = true;
  let images = 0;
  let complaints = "";

  lowerPriority(child, limits.niceness);
  keepAlive(child, false);
  child.stderr?.on("data", (data) => {
    complaints += data;
    // Enough to see why it can't start; a hostile image makes a library complain for ever.
    if (complaints.length > COMPLAINTS_LENGTH) child.stderr?.destroy();
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    const settle = (signal: NodeJS.Signals | null) => {
      isAlive = false;
      resolve(signal);
    };
    child.once("exit", (_, signal) => settle(signal));
    child.on("error", (error) => {
      complaints += error;
      child.kill("SIGKILL");
      settle(null);
    });
  });

  return {
    pid: child.pid,
    /** Whether it may be given another image. */
    isFit: () => isAlive && images < limits.imagesPerProcess,
    /** Throws an ImageError for an image that is refused, or that ended the process, else a DecoderDiedError. */
    async decode(request: DecodeRequest): Promise<ReencodedImage> {
      images++;
      keepAlive(child, true);
      try {
        const reply = await answerTo(request);
        if (reply.isLast || reply.residentBytes > limits.idleBytes) images = limits.imagesPerProcess;
        if ("image" in reply) return reply.image;
        const { status, code, message } = reply.refusal;
        throw new ImageError(status, code, message);
      } finally {
        if (isAlive) keepAlive(child, false);
      }
    },
    async close(): Promise<void> {
      images = limits.imagesPerProcess;
      // Else nothing would keep this process until the other one has ended.
      keepAlive(child, true);
      child.kill("SIGKILL");
      await ended;
    },
  };

  async function answerTo(request: DecodeRequest): Promise<DecodeReply> {
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<DecodeReply>((resolve) => child.once("message", resolve));
    const late = new Promise<DecodeReply>((_, reject) => {
      timer = setTimeout(() => {
        child.kill("SIGKILL");
        reject(tooComplex("time"));
      }, limits.seconds * 1_000);
    });
    const died = ended.then((signal): DecodeReply => {
      if (crashes.includes(signal)) throw brokenImage("the decoder crashes on it");
      throw new DecoderDiedError(
        `the decoder ended (${signal ?? "by itself"}) ${complaints.slice(0, COMPLAINTS_LENGTH)}`,
      );
    });
    // A process that has ended takes nothing, which `died` tells.
    child.send(request, () => {});
    try {
      return await Promise.race([answered, late, died]);
    } finally {
      clearTimeout(timer);
      child.removeAllListeners("message");
    }
  }
}

/** As soon as the process is there, since its threads inherit it. */
function lowerPriority({ pid }: ChildProcess, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has ended already.
  }
}

function keepAlive(child: ChildProcess, isBusy: boolean): void {
  const change = isBusy ? "ref" : "unref";
  child[change]();
  child.channel?.[change]();
  (child.stderr as { ref?(): void; unref?(): void } | null)?.[change]?.();
}
