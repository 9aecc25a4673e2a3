import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { afterEach, beforeAll, expect, test } from "vitest";
import { onlyInLongRun } from "../../run/long-run.ts";
import { uploadHead } from "../../service/begun-upload.ts";
import { until } from "../../service/condition.ts";
import { register } from "../../service/image-service.ts";
import { openFiles, residentBytes } from "../../service/process-resources.ts";
import { connectRaw, type RawConnection } from "../../service/raw-connection.ts";
import type { Service } from "../../service/service.ts";
import type { AttackedService } from "../served.ts";

/** Clients that attack the image storage: they stall, trickle and fill it. */
export function testImageStorage(served: () => AttackedService): void {
  const MEGABYTE = 1_024 * 1_024;

  let service: Service;
  let folder: string;
  const connections: RawConnection[] = [];

  beforeAll(() => {
    ({ service, folder } = served());
  });

  afterEach(() => {
    for (const connection of connections.splice(0)) connection.close();
  });

  type Uploaded = { cid: string; size: number; url: string; code?: string };

  /** A unique image of nearly 5 MB, since noise can't be compressed. */
  function largeImage(): Promise<Buffer> {
    const side = 1_290;
    const raw = { width: side, height: side, channels: 3 } as const;
    return sharp(randomBytes(side * side * 3), { raw })
      .png({ compressionLevel: 0 })
      .toBuffer();
  }

  const smallImage = () =>
    sharp(randomBytes(3_000), { raw: { width: 40, height: 25, channels: 3 } })
      .png()
      .toBuffer();

  async function upload(bytes: Buffer, address: string) {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(bytes)]), "a.png");
    const response = await fetch(`${service.indexer.url}/api/upload-image`, {
      method: "POST",
      body: form,
      headers: { "x-forwarded-for": address },
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Uploaded };
  }

  async function uploadAccepted(bytes: Buffer, address: string): Promise<Uploaded> {
    const { status, body } = await upload(bytes, address);
    expect([status, body.code]).toEqual([201, undefined]);
    return body;
  }

  async function imageStatus(cid: string, headers: Record<string, string> = {}): Promise<number> {
    const response = await fetch(`${service.indexer.url}/ipfs/${cid}`, { headers });
    await response.arrayBuffer();
    return response.status;
  }

  const makeOld = (cid: string) =>
    service.database.query(
      "update offchain.image set uploaded_at = now() - interval '1 hour' where cid = $1",
      [cid],
    );

  async function connect(): Promise<RawConnection> {
    const connection = await connectRaw(service.indexer.port);
    connections.push(connection);
    return connection;
  }

  onlyInLongRun(() => {
    test("80 clients that don't read their image use little memory, delay nobody and leave no file open", async () => {
      const image = await uploadAccepted(await largeImage(), "192.0.2.1");
      expect(image.size).toBeGreaterThan(3 * MEGABYTE);
      for (let count = 0; count < 5; count++) expect(await imageStatus(image.cid)).toBe(200);
      const before = residentBytes(service.indexer.pid);

      const stalled = await Promise.all(Array.from({ length: 80 }, connect));
      await Promise.all(
        stalled.map(async (connection) => {
          await connection.send(`GET /ipfs/${image.cid} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
          await connection.stallAfterStart();
        }),
      );
      expect(new Set(stalled.map((connection) => connection.status()))).toEqual(new Set([200]));

      const served = await fetch(`${service.indexer.url}/ipfs/${image.cid}`);
      expect(Number(served.headers.get("content-length"))).toBe(image.size);
      expect((await served.arrayBuffer()).byteLength).toBe(image.size);
      expect((await fetch(`${service.indexer.url}/api`)).status).toBe(200);
      // A copy of the image for each client would take 400 MB.
      expect((residentBytes(service.indexer.pid) - before) / MEGABYTE).toBeLessThan(200);

      for (const connection of stalled) connection.close();
      await until("every file to be closed", async () => openFiles(service.indexer.pid, folder).length === 0);
    });
  });

  test("stalled or trickling bodies keep nobody from uploading, and end with 408", async () => {
    const idle = await Promise.all(Array.from({ length: 60 }, connect));
    const trickling = await Promise.all(Array.from({ length: 60 }, connect));
    await Promise.all(idle.map((connection) => connection.send(uploadHead("192.0.2.10", 1_000_000))));
    await Promise.all(
      trickling.map((connection, index) =>
        connection.send(uploadHead(`198.51.100.${Math.floor(index / 10)}`, 1_000_000)),
      ),
    );
    const timer = setInterval(() => {
      for (const connection of trickling) void connection.send("x");
    }, 100);
    try {
      await uploadAccepted(await smallImage(), "192.0.2.20");
      // A client that shares their address has to retry at most once, after Retry-After.
      await until("an upload from the same address", async () => {
        const { status } = await upload(await smallImage(), "192.0.2.10");
        return status === 201;
      });
      const all = [...idle, ...trickling];
      await until("an answer to each of them", async () =>
        all.every((connection) => connection.status() !== undefined),
      );
      expect(new Set(all.map((connection) => connection.status()))).toEqual(new Set([408, 429]));
      const answers = all.map((connection) => connection.received());
      expect(answers.some((answer) => answer.includes('"upload_timeout"'))).toBe(true);
      expect(answers.some((answer) => answer.includes('"too_many_uploads"'))).toBe(true);
    } finally {
      clearInterval(timer);
    }
  });

  test("a body of /mcp that trickles in is refused once someone else needs its place", async () => {
    const large = 300_000;
    const trickling = await Promise.all(Array.from({ length: 8 }, connect));
    await Promise.all(
      trickling.map((connection, index) =>
        connection.send(
          `POST /mcp HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 203.0.113.${100 + (index >> 1)}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${large}\r\n\r\n`,
        ),
      ),
    );
    const confirmation = "HTTP/1.1 100 Continue\r\n\r\n";
    await until("all of them to have begun", async () =>
      trickling.every((connection) => connection.received().startsWith(confirmation)),
    );
    // Just fast enough for bodies of any other route.
    const timer = setInterval(() => {
      for (const connection of trickling) void connection.send(Buffer.alloc(1_100));
    }, 100);
    const call = { name: "upload_image", arguments: { image: "x".repeat(large) } };
    const callOverMcp = async () => {
      const response = await fetch(`${service.indexer.url}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "x-forwarded-for": "203.0.113.110",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
      });
      await response.arrayBuffer();
      return response.status;
    };
    const answers = () =>
      trickling.map((connection) => connection.received().slice(confirmation.length)).filter(Boolean);
    try {
      expect(answers()).toEqual([]);
      await until("one of them to be answered", async () => {
        const status = await callOverMcp();
        return status === 200 && answers().length > 0;
      });
      expect(answers()[0]).toMatch(/^HTTP\/1\.1 503 /);
    } finally {
      clearInterval(timer);
    }
  });

  onlyInLongRun(() => {
    test("100 concurrent uploads of 5 MB are not held in memory", async () => {
      for (let count = 0; count < 3; count++) await upload(await largeImage(), "192.0.2.30");
      const before = residentBytes(service.indexer.pid);
      let highest = before;
      const timer = setInterval(() => {
        highest = Math.max(highest, residentBytes(service.indexer.pid));
      }, 20);
      try {
        const file = randomBytes(5 * MEGABYTE - 10_000);
        await Promise.all(
          Array.from({ length: 100 }, async (_, index) => {
            const connection = await connect();
            // Everything except the end.
            await connection.send(uploadHead(`192.0.2.${100 + Math.floor(index / 5)}`, file.length + 1_000));
            await connection.send(file);
          }),
        );
        expect((await fetch(`${service.indexer.url}/api`)).status).toBe(200);
        // All of them together are 500 MB.
        expect((highest - before) / MEGABYTE).toBeLessThan(250);
      } finally {
        clearInterval(timer);
      }
      for (const connection of connections) connection.close();
      await until("room for another upload", async () => {
        const { status } = await upload(await smallImage(), "192.0.2.200");
        return status === 201;
      });
      const unfinished = path.join(folder, "images", "unfinished");
      await until("nothing to be left of them", async () => (await readdir(unfinished)).length === 0);
      await until("every file to be closed", async () => openFiles(service.indexer.pid, folder).length === 0);
    });
  });

  test("beyond the budget only the oldest upload that no registration mentions is deleted", async () => {
    await service.database.query("update offchain.image set uploaded_at = now() - interval '1 day 1 hour'");
    const registered = await uploadAccepted(await largeImage(), "203.0.113.1");
    await register(service.database, registered.url);
    const oldest = await uploadAccepted(await largeImage(), "203.0.113.2");
    await Promise.all([makeOld(registered.cid), makeOld(oldest.cid)]);
    const older = await uploadAccepted(await largeImage(), "203.0.113.3");
    const newest = await uploadAccepted(await largeImage(), "203.0.113.4");
    const statuses = await Promise.all(
      [registered, oldest, older, newest].map(({ cid }) => imageStatus(cid)),
    );
    expect(statuses).toEqual([200, 404, 200, 200]);
    expect(await readdir(path.join(folder, "images", "blocks"))).not.toContain(oldest.cid);
  });

  test("a 304 is answered without reading the file, but only for an image that was stored", async () => {
    const { cid } = await uploadAccepted(await smallImage(), "203.0.113.20");
    await rm(path.join(folder, "images", "blocks", cid), { recursive: true });
    expect(await imageStatus(cid, { "if-none-match": `"${cid}"` })).toBe(304);
    expect(await imageStatus(cid)).toBe(404);
    const unknown = "bafkreibh332jysora42n6vsf5cago4g4i76atvu2ghmkt5v3qwxuiizpwy";
    expect(await imageStatus(unknown, { "if-none-match": `"${unknown}"` })).toBe(404);
  });
}
