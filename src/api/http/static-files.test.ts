import { writeFile } from "node:fs/promises";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/service/temporary-folder.ts";
import { serveStaticFiles } from "./static-files.ts";

const text = "let it = 'be compressed'; ".repeat(100);
let place: Awaited<ReturnType<typeof temporaryFolder>>;
let app: Hono;

beforeAll(async () => {
  place = await temporaryFolder();
  const file = { path: path.join(place.folder, "app.js"), type: "text/javascript" };
  await writeFile(file.path, text);
  app = new Hono().get("/:version/:name", serveStaticFiles("1.0.0", { "app.js": file }));
});

afterAll(() => place.remove());

const get = (name: string, headers: Record<string, string> = {}) => app.request(name, { headers });

test.each([
  [undefined, null],
  ["identity", null],
  ["gzip, deflate, br", "br"],
  ["gzip, br;q=0", "gzip"],
  ["*", "br"],
  ["br;q=0, *;q=0.5", "gzip"],
  ["deflate", null],
])("Accept-Encoding %s gets %s", async (accepted, expected) => {
  const response = await get("/1.0.0/app.js", accepted === undefined ? {} : { "accept-encoding": accepted });
  const body = Buffer.from(await response.arrayBuffer());
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[expected ?? ""];
  expect(response.headers.get("content-encoding")).toBe(expected);
  expect(response.headers.get("vary")).toBe("Accept-Encoding");
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect((decode?.(body) ?? body).toString()).toBe(text);
});

test("a client that has the file in its encoding gets a 304", async () => {
  const etagOf = async (encoding: string) =>
    (await get("/1.0.0/app.js", { "accept-encoding": encoding })).headers.get("etag") ?? "";
  const [plain, compressed] = [await etagOf("identity"), await etagOf("br")];
  expect(plain).not.toBe(compressed);
  const again = { "accept-encoding": "br", "if-none-match": compressed };
  expect((await get("/1.0.0/app.js", again)).status).toBe(304);
  expect((await get("/1.0.0/app.js", { ...again, "if-none-match": plain })).status).toBe(200);
});

test.each(["constructor", "__proto__", "toString", "hasOwnProperty", "app.js%00", "..%2fapp.js", "App.js"])(
  "there is no file %s",
  async (name) => expect((await get(`/1.0.0/${name}`)).status).toBe(404),
);

test("another version has no files", async () => {
  expect((await get("/1.0.1/app.js")).status).toBe(404);
});

test("a file is read once", async () => {
  await writeFile(path.join(place.folder, "app.js"), "another text");
  expect(await (await get("/1.0.0/app.js")).text()).toBe(text);
});
