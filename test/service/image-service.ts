import { readdir } from "node:fs/promises";
import path from "node:path";
import { Hono } from "hono";
import pg from "pg";
import { handleError } from "../../src/api/http/error-handler.ts";
import { createImageCopies } from "../../src/api/images/image-copies.ts";
import { createImageGateway, createUploadImage } from "../../src/api/images/image-routes.ts";
import { createImageService, type ImageServiceDeps } from "../../src/api/images/image-service.ts";
import { chooseProviders, type ProviderSettings } from "../../src/api/images/providers/choose.ts";
import { createLocalStore } from "../../src/api/images/providers/local.ts";
import { createResizedFiles } from "../../src/api/images/resized-images.ts";
import { createDatabase, type TestDatabase } from "./database.ts";
import { sharedDecoder } from "./image-decoder.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export type TestImages = {
  app: Hono;
  parts: ImageServiceDeps;
  database: TestDatabase;
  folder: string;
  /** Uploads a file in the field `file`, as the client at this address. */
  upload(bytes: Buffer, name?: string, type?: string, address?: string): Promise<Response>;
  /** Another service on the same database and folder, with other settings. */
  with(settings: ProviderSettings, changes?: Partial<ImageServiceDeps>): TestImages;
  /** All files in the folder and all rows. Empty once every image has been removed completely. */
  leftovers(): Promise<string[]>;
  close(): Promise<void>;
};

/** An app with nothing but image uploads and the gateway, on a real database and its own folder. */
export async function startImages(settings: ProviderSettings = { provider: "local" }): Promise<TestImages> {
  const [database, place] = await Promise.all([createDatabase(), temporaryFolder()]);
  const pool = new pg.Pool({ connectionString: database.url, max: 6 });
  pool.on("error", () => {});
  const local = createLocalStore(path.join(place.folder, "images"));

  const decoder = sharedDecoder();

  const build = (chosen: ProviderSettings, changes: Partial<ImageServiceDeps> = {}): TestImages => {
    const { provider, all, remote } = chooseProviders(chosen);
    const files = changes.local ?? local;
    const copies = remote && createImageCopies({ pool, local: files, remote, bytes: 2 ** 30 });
    const gatewayUrl = "http://localhost:42069/ipfs";
    const parts: ImageServiceDeps = {
      decoder,
      resizing: {
        decoder,
        files: createResizedFiles({ folder: files.resized, unfinished: files.unfinished, bytes: 2 ** 24 }),
      },
      pool,
      local,
      provider,
      providers: all,
      copies,
      gatewayUrl,
      budget: { bytes: 2 ** 30, bytesPerUploader: 2 ** 30 },
      minFreeDiskBytes: 0,
      onEvicted() {},
      ...changes,
    };
    const routeParts = { images: createImageService(parts), trustedHops: 1 };
    const app = new Hono();
    app.route("/", createUploadImage(routeParts));
    app.route("/ipfs", createImageGateway(routeParts));
    app.onError(handleError);
    app.all("*", (c) => c.text("nothing here", 404));
    return {
      app,
      parts,
      database,
      folder: place.folder,
      upload(bytes, name = "image", type = "application/octet-stream", address = "192.0.2.1") {
        const form = new FormData();
        form.append("file", new Blob([new Uint8Array(bytes)], { type }), name);
        const headers = { "x-forwarded-for": address };
        return Promise.resolve(app.request("/api/upload-image", { method: "POST", body: form, headers }));
      },
      with: build,
      async leftovers() {
        const entries = await readdir(place.folder, { recursive: true, withFileTypes: true });
        const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
        const rows = await database.query<{ cid: string }>(
          "select cid from offchain.image union all select cid from offchain.image_pin",
        );
        return [...files, ...rows.map(({ cid }) => cid)];
      },
      async close() {
        await pool.end();
        await Promise.all([database.drop(), place.remove()]);
      },
    };
  };
  return build(settings);
}

/** Registers a token with an image as the API does, but without its checks. */
export async function register(
  database: TestDatabase,
  imageUrl: string,
  mint = `0x${Math.random().toString(16).slice(2)}`,
): Promise<void> {
  await database.query(
    `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent, image_url)
     values (56, $1, 'A', 'A', '0xbb', 50, $2)`,
    [mint, imageUrl],
  );
}
