import { type ChildProcess, fork } from "node:child_process";
import { Socket } from "node:net";
import { setPriority } from "node:os";
import { ignore, within } from "../../../../config/async.ts";
import { brokenImage, ImageError } from "../image-error.ts";
import { type DecoderLimits, imageLimits } from "../limits.ts";
import {
  type DecodeRequest,
  type ReencodedImage,
  type ReplyMessage,
  type RequestMessage,
  readBytes,
  tooComplex,
} from "./messages.ts";

/** Thrown if the process ended without a reply, and apparently not because of the image. */
export class DecoderDiedError extends Error {
  override name = "DecoderDiedError";
}

export type DecoderChild = ReturnType<typeof startDecoderChild>;

const maxErrorOutput = 2_000;

const environment = {
  // Keeps malloc from holding much free memory. One thread is enough, since there is one image at a time.
  MALLOC_ARENA_MAX: "2",
  UV_THREADPOOL_SIZE: "1",
  // No temporary files.
  VIPS_DISC_THRESHOLD: "1g",
  // No warnings on stderr about oddities in an image.
  VIPS_WARNING: "off",
};

/** Signals of a process that crashed on its input. */
const crashSignals: (NodeJS.Signals | null)[] = [
  "SIGSEGV",
  "SIGBUS",
  "SIGABRT",
  "SIGILL",
  "SIGFPE",
  "SIGTRAP",
];

/** Starts a process that decodes one image at a time. It keeps this process alive only while it is decoding. */
export function startDecoderChild(limits: DecoderLimits) {
  const child = fork(new URL("./process.ts", import.meta.url), [JSON.stringify(limits)], {
    cwd: "/",
    // None of the service's passwords and keys.
    env: environment,
    execArgv: ["--max-old-space-size=64", "--disable-warning=ExperimentalWarning"],
    stdio: ["pipe", "pipe", "pipe", "ipc"],
  });
  let isAlive = true;
  let images = 0;
  let errorOutput = "";

  lowerPriority(child, limits.niceness);
  keepAlive(child, false);
  for (const pipe of pipesOf(child)) pipe?.on("error", ignore);
  child.stderr?.on("data", (data) => {
    errorOutput += data;
    // Enough to see why the process can't start. A hostile image could make a library write forever.
    if (errorOutput.length > maxErrorOutput) child.stderr?.destroy();
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    const settle = (signal: NodeJS.Signals | null) => {
      isAlive = false;
      resolve(signal);
    };
    child.once("exit", (_, signal) => settle(signal));
    child.on("error", (error) => {
      errorOutput += error;
      child.kill("SIGKILL");
      settle(null);
    });
  });

  function kill(): void {
    images = limits.imagesPerProcess;
    child.kill("SIGKILL");
  }

  return {
    pid: child.pid,
    /** Whether the process can be given another image. */
    isReusable: () => isAlive && images < limits.imagesPerProcess,
    /** Throws an ImageError if the image is refused or crashed the process, and a DecoderDiedError if the process died otherwise. */
    async decode(request: DecodeRequest): Promise<ReencodedImage> {
      images++;
      keepAlive(child, true);
      try {
        const reply = await getReply(request);
        if (reply.isLast || reply.residentBytes > limits.idleBytes) images = limits.imagesPerProcess;
        if ("image" in reply) return reply.image;
        const { status, code, message } = reply.refusal;
        throw new ImageError(status, code, message);
      } catch (error) {
        // One whose reply can't be understood gets no other image, which might be answered with what is left of this one.
        if (!(error instanceof ImageError)) kill();
        throw error;
      } finally {
        if (isAlive) keepAlive(child, false);
      }
    },
    async close(): Promise<void> {
      // Keeps this process alive until the other one has ended.
      keepAlive(child, true);
      kill();
      await ended;
    },
  };

  async function getReply({ bytes, ...request }: DecodeRequest) {
    const died = ended.then((signal): never => {
      if (crashSignals.includes(signal)) throw brokenImage("the decoder crashes on it");
      throw new DecoderDiedError(
        `the decoder ended (${signal ?? "by itself"}) ${errorOutput.slice(0, maxErrorOutput)}`,
      );
    });
    const reply = Promise.race([receive(), died]);
    const message: RequestMessage = { ...request, size: bytes.length };
    // Errors are ignored: if the process has ended, `died` rejects. One that could not be started has no channel.
    if (child.connected) child.send(message, ignore);
    child.stdin?.write(bytes);
    try {
      return await within(limits.seconds * 1_000, reply, () => {
        kill();
        throw tooComplex("time");
      });
    } finally {
      child.removeAllListeners("message");
    }
  }

  async function receive() {
    const reply = await new Promise<ReplyMessage>((resolve) => child.once("message", resolve));
    if (!("image" in reply)) return reply;
    const { size, ...image } = reply.image;
    // The process has handled hostile bytes.
    if (child.stdout === null || !Number.isInteger(size) || size > imageLimits.bytes) {
      kill();
      throw brokenImage("it does not decode");
    }
    return { ...reply, image: { ...image, bytes: await readBytes(child.stdout, size) } };
  }
}

/** Called right after the start, since the threads of the process inherit its priority. */
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
  for (const pipe of pipesOf(child)) if (pipe instanceof Socket) pipe[change]();
}

/** Without any if no process could be started. */
const pipesOf = ({ stdin, stdout, stderr }: ChildProcess) => [stdin, stdout, stderr];
