import { rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectDir } from "../../../runtime/ponder/ponder.ts";
import { type PinataServer, startPinataServer } from "../../../test/doubles/pinata-server.ts";
import { onlyInLongRun } from "../../../test/run/long-run.ts";
import { startImages, type TestImages } from "../../../test/service/image-service.ts";
import { runProgram } from "../../../test/service/program.ts";
import { encode, picture } from "../../../test/service/sample-images.ts";
import type { UploadedImage } from "./image-service.ts";
import type { ProviderSettings } from "./providers/choose.ts";
import { pushImages } from "./push-images.ts";

const jwt = "header.payload.signature";
let pinata: PinataServer;
let images: TestImages;
let settings: ProviderSettings;

beforeEach(async () => {
  [pinata, images] = await Promise.all([startPinataServer({ jwt }), startImages()]);
  settings = {
    provider: "pinata",
    pinata: { jwt, uploadUrl: `${pinata.url}/v3`, apiUrl: `${pinata.url}/v3` },
  };
});
afterEach(() => Promise.all([pinata.close(), images.close()]));

async function uploadLocally(count: number): Promise<string[]> {
  const cids: string[] = [];
  for (let seed = 1; seed <= count; seed++) {
    // The last one has more than one block.
    const size = seed === count ? { width: 500, height: 400 } : {};
    const response = await images.upload(await encode(picture({ ...size, seed }), "png"));
    cids.push(((await response.json()) as UploadedImage).cid);
  }
  return cids;
}

const pinned = () => [...pinata.files.values()].map(({ cid }) => cid).sort();

function push(options: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void } = {}) {
  const { parts } = images.with(settings);
  const { pool, local, provider } = parts;
  if (provider === undefined) throw new Error("no provider");
  return pushImages({ pool, local, provider, ...options });
}

test("everything local is pinned, once", async () => {
  const cids = await uploadLocally(4);
  const progress: [number, number][] = [];
  const result = await push({ onProgress: (done, total) => progress.push([done, total]) });
  expect([result.pushed.toSorted(), result.failed]).toEqual([cids.toSorted(), []]);
  expect(progress).toEqual([0, 1, 2, 3, 4].map((done) => [done, 4]));
  expect(pinned()).toEqual(cids.toSorted());

  const calls = pinata.calls.length;
  expect(await push()).toEqual({ pushed: [], failed: [] });
  expect(pinata.calls.length).toBe(calls);
});

test("a stopped run is continued by the next one", async () => {
  const cids = await uploadLocally(4);
  const stop = new AbortController();
  const first = await push({ signal: stop.signal, onProgress: (done) => done === 2 && stop.abort() });
  expect(first.pushed).toHaveLength(2);
  const second = await push();
  expect(second.pushed).toHaveLength(2);
  expect([...first.pushed, ...second.pushed].toSorted()).toEqual(cids.toSorted());
  expect(pinata.calls.filter((call) => call === "POST /v3/files")).toHaveLength(4);
});

test("an image that fails is named, and does not keep the others from being pinned", async () => {
  const [missing, ...others] = await uploadLocally(3);
  await rm(path.join(images.folder, "images", "blocks", missing ?? ""), { recursive: true });
  const result = await push();
  expect(result.pushed.toSorted()).toEqual(others.toSorted());
  expect(result.failed).toEqual([{ cid: missing, reason: "it is missing in this DATA_DIR" }]);

  pinata.fault = { when: "refuse", reply: { status: 401, body: "" } };
  expect((await push()).failed).toHaveLength(1);
});

test("when asked to slow down, it waits as long as it is told and continues", async () => {
  const cids = await uploadLocally(1);
  pinata.fault = { when: "refuse", reply: { status: 429, body: "", headers: { "retry-after": "1" } } };
  const pushing = push();
  await expect.poll(() => pinata.calls.length).toBe(1);
  pinata.fault = undefined;
  expect((await pushing).pushed).toEqual(cids);
});

const script = path.join(projectDir, "tools/images/push.ts");
const environment = () => ({
  DATABASE_URL: images.database.url,
  DATA_DIR: images.folder,
  PINATA_JWT: jwt,
  PINATA_UPLOAD_URL: `${pinata.url}/v3`,
  PINATA_API_URL: `${pinata.url}/v3`,
});

test("npm run images:push says what it did, and ends with 1 when something failed", async () => {
  const [missing] = await uploadLocally(3);
  await rm(path.join(images.folder, "images", "blocks", missing ?? ""), { recursive: true });
  const failing = runProgram(script, { env: environment() });
  expect(await failing.exited).toBe(1);
  expect(failing.output()).toContain(`${missing} was not pinned: it is missing in this DATA_DIR`);
  expect(failing.output()).toContain("2 pinned at pinata, 1 failed.");
});

onlyInLongRun(() => {
  test("it ends with 0 when nothing failed, and asks for a provider where there is none", async () => {
    await uploadLocally(3);
    const program = runProgram(script, { env: environment() });
    expect(await program.exited).toBe(0);
    expect(program.output()).toContain("3 pinned at pinata, 0 failed.");
    expect(pinata.files.size).toBe(3);

    const nowhere = runProgram(script, { env: { ...environment(), PINATA_JWT: "" } });
    expect(await nowhere.exited).toBe(1);
    expect(nowhere.output()).toContain("set PINATA_JWT, KUBO_RPC_URL or IMAGES_S3_BUCKET");
  });
});
