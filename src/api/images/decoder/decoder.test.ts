import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { afterEach, describe, expect, test } from "vitest";
import { decoderAttacks } from "../../../../test/fuzz/decoder-attacks.ts";
import { sized } from "../../../../test/run/long-run.ts";
import { sharedDecoder, startDecoder } from "../../../../test/service/image-decoder.ts";
import { survivorsOf } from "../../../../test/service/program.ts";
import { animation, encode, picture } from "../../../../test/service/sample-images.ts";
import { temporaryFolder } from "../../../../test/service/temporary-folder.ts";
import { ImageError } from "../image-error.ts";
import { detectType } from "../image-type.ts";
import { decoderLimits } from "../limits.ts";
import { createImageDecoder, type ImageDecoder } from "./decoder.ts";

const opened: ImageDecoder[] = [];
function open(limits: Parameters<typeof startDecoder>[0] = {}): ImageDecoder {
  const decoder = startDecoder(limits);
  opened.push(decoder);
  return decoder;
}
afterEach(async () => {
  for (const decoder of opened.splice(0)) await decoder.close();
});

const decode = (decoder: ImageDecoder, bytes: Buffer, client?: string) =>
  decoder.decode({ bytes, type: detectType(bytes) }, client);
const small = () => encode(picture(), "png");
/** Takes long enough for its process to be killed meanwhile. */
const slow = () => animation("gif", { frames: 10, size: 300 });

test("a process starts on the first image, and is reused", async () => {
  const decoder = open();
  expect(decoder.pids()).toEqual([]);
  await decode(decoder, await small());
  const [pid] = decoder.pids();
  await expect(decode(decoder, Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))).rejects.toMatchObject({
    status: 422,
  });
  await decode(decoder, await encode(picture(), "jpeg"));
  expect(decoder.pids()).toEqual([pid]);
});

describe("hostile files", async () => {
  test.each(await decoderAttacks())("$name fails only itself", async ({ bytes }) => {
    const decoder = sharedDecoder();
    const before = process.memoryUsage().rss;
    const outcome = await decode(decoder, bytes).catch((error) => error);
    // Either the picture in it is returned, or it is refused.
    if (outcome instanceof Error) expect(outcome).toMatchObject({ name: "ImageError", status: 422 });
    else expect(outcome).toMatchObject({ width: 60, height: 40 });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
    expect(await decode(decoder, await small())).toMatchObject({ width: 60, height: 40 });
  });

  test("an image that takes too much memory is refused, and its process replaced", async () => {
    const decoder = open({ residentBytes: 130 * 2 ** 20 });
    await decode(decoder, await small());
    const before = decoder.pids();
    const wide = sharp({ create: { width: 5_000, height: 5_000, channels: 4, background: "red" } });
    // Interlaced, so it has to be held as a whole.
    await expect(decode(decoder, await wide.png({ progressive: true }).toBuffer())).rejects.toMatchObject({
      status: 422,
      code: "image_too_complex",
      message: expect.stringContaining("memory"),
    });
    expect(await survivorsOf(before, 20_000)).toEqual([]);
    expect(await decode(decoder, await small())).toMatchObject({ width: 60 });
  });

  test("an image that takes too much time is refused, by processor time or by the clock", async () => {
    const bytes = await slow();
    const refusal = { status: 422, code: "image_too_complex", message: expect.stringContaining("time") };
    await expect(decode(open({ seconds: 0.05 }), bytes)).rejects.toMatchObject(refusal);

    const decoder = open({ cpuSeconds: 0.2 });
    const fast = await small();
    const [refused, following] = [decode(decoder, bytes), decode(decoder, fast)];
    await expect(refused).rejects.toMatchObject(refusal);
    expect(await following).toMatchObject({ width: 60 });
  });
});

test("a killed process fails its own image, and the next one works", async () => {
  const decoder = open();
  await decode(decoder, await small());
  const under = decode(decoder, await slow());
  for (const pid of decoder.pids()) process.kill(pid, "SIGKILL");
  await expect(under).rejects.toMatchObject({ status: 503, code: "image_decoder_failed", retryAfter: 2 });
  expect(await decode(decoder, await small())).toMatchObject({ width: 60 });
});

test("a crash of the process is blamed on the image", async () => {
  const decoder = open();
  await decode(decoder, await small());
  const under = decode(decoder, await slow());
  for (const pid of decoder.pids()) process.kill(pid, "SIGSEGV");
  await expect(under).rejects.toMatchObject({ status: 422, code: "broken_image" });
});

test("an image is refused if no process can be started for it, and the next one works", async () => {
  const decoder = open();
  const bytes = await small();
  const { execPath } = process;
  // Like many other reasons, this one makes fork() throw.
  process.execPath = `/${"x".repeat(5_000)}`;
  const refused = decode(decoder, bytes);
  process.execPath = execPath;
  await expect(refused).rejects.toMatchObject({ status: 503, code: "image_decoder_failed" });
  expect(await decode(decoder, bytes)).toMatchObject({ width: 60 });
});

test.runIf(process.platform === "linux")(
  "without a free file descriptor an image is refused, and nothing else fails",
  () => {
    // A rejection without a handler ends this process, as it does the service.
    const script = `
      import { closeSync, openSync } from "node:fs";
      import { createImageDecoder } from ${JSON.stringify(import.meta.resolve("./decoder.ts"))};
      const decoder = createImageDecoder({ processes: 1 });
      const held = [];
      try {
        for (;;) held.push(openSync("/dev/null"));
      } catch {}
      const outcome = await decoder.decode({ bytes: Buffer.from("x"), type: "png" }).catch((error) => error);
      await new Promise(setImmediate);
      for (const descriptor of held) closeSync(descriptor);
      console.log(outcome.code);
      await decoder.close();
    `;
    const command = 'ulimit -n 100; exec "$0" --input-type=module --eval "$1"';
    const ran = spawnSync("bash", ["-c", command, process.execPath, script], { encoding: "utf8" });
    expect([ran.status, ran.stdout]).toEqual([0, "image_decoder_failed\n"]);
  },
);

test.each(sized({ usual: [-1, "5"], long: [-1, null, "5", 5.5, 2 ** 40] }))(
  "a process that was taken over, and says that an image has %j bytes, fails that image alone",
  async (size) => {
    const { folder, remove } = await temporaryFolder();
    const { execPath } = process;
    const reply = { image: { width: 1, height: 1, size }, residentBytes: 1, isLast: false };
    const lying = `process.on("message", () => { process.stdout.write("12345"); process.send(${JSON.stringify(reply)}); });`;
    await writeFile(`${folder}/lying.mjs`, lying);
    await writeFile(`${folder}/node`, `#!/bin/sh\nexec "${execPath}" "${folder}/lying.mjs"\n`, {
      mode: 0o755,
    });
    const decoder = open();
    const bytes = await small();
    process.execPath = `${folder}/node`;
    const failing = decode(decoder, bytes);
    process.execPath = execPath;
    await expect(failing).rejects.toBeInstanceOf(ImageError);
    expect(await decode(decoder, bytes)).toMatchObject({ width: 60 });
    await remove();
  },
);

test("a process is replaced after a number of images", async () => {
  const decoder = open({ imagesPerProcess: 2 });
  const used = new Set<number>();
  for (let image = 0; image < 4; image++) {
    const done = decode(decoder, await small());
    for (const pid of decoder.pids()) used.add(pid);
    await done;
  }
  expect(used.size).toBe(2);
});

test("too many waiting images are refused, but not those of another client", async () => {
  const bytes = await small();
  const decoder = open({ waitingBytes: 3 * 80_000 });
  const crowd = Array.from({ length: 8 }, () =>
    decode(decoder, bytes, "crowd").then(
      () => 201,
      (error) => error.status,
    ),
  );
  expect(await decode(decoder, bytes, "other")).toMatchObject({ width: 60 });
  const answers = await Promise.all(crowd);
  expect(answers.filter((status) => status === 201).length).toBeGreaterThan(0);
  expect(answers.filter((status) => status === 503).length).toBeGreaterThan(3);
});

test("an image larger than the whole queue is refused at once, and evicts nobody", async () => {
  const bytes = await small();
  const decoder = open({ waitingBytes: 3 * 80_000 });
  const waiting = [decode(decoder, bytes, "a"), decode(decoder, bytes, "b")];
  const large = Buffer.concat([bytes, Buffer.alloc(3 * 80_000)]);
  await expect(decode(decoder, large, "c")).rejects.toMatchObject({ status: 503, code: "busy" });
  expect(await Promise.all(waiting)).toMatchObject([{ width: 60 }, { width: 60 }]);
});

test("a crowd of empty images is limited", async () => {
  const decoder = open({ waitingBytes: 2 ** 20 });
  const codes = await Promise.all(
    Array.from({ length: 100 }, () =>
      decoder.decode({ bytes: Buffer.alloc(0), type: "png" }, "crowd").catch((error) => error.code),
    ),
  );
  // One is being decoded while sixteen wait.
  expect(codes.filter((code) => code !== "busy")).toHaveLength(17);
});

test("closing ends the processes, and refuses current and later images", async () => {
  const bytes = await small();
  const decoder = open();
  const jobs = [decode(decoder, bytes), decode(decoder, bytes)].map((job) =>
    job.catch((error) => error.code),
  );
  const pids = decoder.pids();
  await decoder.close();
  expect(await Promise.all(jobs)).toEqual(["image_decoder_failed", "image_decoder_failed"]);
  expect(await survivorsOf(pids, 20_000)).toEqual([]);
  await expect(decode(decoder, bytes)).rejects.toMatchObject({ code: "image_decoder_failed" });
  expect(decoder.pids()).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "a process has none of our secrets, and gives way to others",
  async () => {
    process.env.PINATA_JWT = "secret";
    try {
      const decoder = createImageDecoder({ processes: 1 });
      opened.push(decoder);
      await decode(decoder, await small());
      const [pid] = decoder.pids();
      const names = readFileSync(`/proc/${pid}/environ`, "utf8")
        .split("\0")
        .map((variable) => variable.split("=")[0]);
      // NODE_CHANNEL_… is its channel to the service.
      expect(names.filter(Boolean).sort()).toEqual([
        "MALLOC_ARENA_MAX",
        "NODE_CHANNEL_FD",
        "NODE_CHANNEL_SERIALIZATION_MODE",
        "UV_THREADPOOL_SIZE",
        "VIPS_DISC_THRESHOLD",
        "VIPS_WARNING",
      ]);
      const niceness = readdirSync(`/proc/${pid}/task`).map((task) =>
        Number(readFileSync(`/proc/${pid}/task/${task}/stat`, "utf8").split(") ")[1]?.split(" ")[16]),
      );
      expect(new Set(niceness)).toEqual(new Set([decoderLimits.niceness]));
      expect(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8").trim()).toBe("1000");
    } finally {
      delete process.env.PINATA_JWT;
    }
  },
);
