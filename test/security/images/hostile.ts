import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { decoderAttacks } from "../../fuzz/decoder-attacks.ts";
import { commandOf, descendantsOf, survivorsOf } from "../../service/program.ts";
import type { RestClient } from "../../service/rest-client.ts";
import { encode, picture } from "../../service/sample-images.ts";
import type { Service } from "../../service/service.ts";
import type { AttackedService } from "../served.ts";

export function testHostileImages(served: () => AttackedService): void {
  let service: Service;
  let rest: RestClient;

  beforeAll(() => {
    ({ service, rest } = served());
  });

  function upload(bytes: Buffer) {
    const body = new FormData();
    body.append("file", new Blob([new Uint8Array(bytes)]), "image");
    return rest.request("/api/upload-image", { method: "POST", body });
  }

  const decoders = () =>
    descendantsOf(service.indexer.pid).filter((pid) => commandOf(pid).includes("decoder/process.ts"));

  test("hostile files are refused or decoded while the service answers others, and the service survives them", async () => {
    for (const { name, bytes } of await decoderAttacks()) {
      const answered = upload(bytes);
      const isOver = answered.then(() => true);
      do {
        expect([name, (await rest.get("/api/health")).status]).toEqual([name, 200]);
        // Asking without a pause would take more of the processor than the files do.
      } while (!(await Promise.race([isOver, delay(20, false)])));
      const { status, body } = await answered;
      expect([name, status]).toEqual([name, name.includes("AVIF") ? 422 : expect.toBeOneOf([201, 413, 422])]);
      if (status === 201) expect(body).toMatchObject({ width: 60, height: 40 });
    }
    expect((await upload(await encode(picture(), "png"))).status).toBe(201);
  });

  test("a killed decoder fails only its own upload, and the next one works", async () => {
    const bytes = await encode(picture({ seed: 2 }), "png");
    expect((await upload(bytes)).status).toBe(201);
    const killed = decoders();
    expect(killed.length).toBeGreaterThan(0);
    // Paused, so that it is certainly the one with the upload.
    for (const pid of killed) process.kill(pid, "SIGSTOP");
    const under = upload(bytes);
    for (let count = 0; count < 20; count++) expect((await rest.get("/api/health")).status).toBe(200);
    for (const pid of killed) process.kill(pid, "SIGKILL");
    const { status, body, headers } = await under;
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "image_decoder_failed", "2"]);
    expect((await upload(bytes)).status).toBe(201);
  });

  test("no decoder outlives a service that is killed", async () => {
    const left = decoders();
    expect(left.length).toBeGreaterThan(0);
    await service.indexer.kill();
    expect(await survivorsOf(left, 20_000)).toEqual([]);
  });
}
