import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { CID } from "multiformats/cid";
import { type HttpServer, type Received, type Reply, readForm, startHttpServer } from "./http-server.ts";

type PinataFile = { id: string; cid: string; name: string; size: number; keyvalues: Record<string, string> };

export type PinataServer = HttpServer & {
  files: Map<string, PinataFile>;
  calls: string[];
  /** A reply in place of Pinata's, before it does anything ("refuse") or after it has done it ("lose"), to this method alone. */
  fault: { when: "refuse" | "lose"; reply: Reply | undefined; method?: string } | undefined;
};

const uploadFields = ["network", "file", "name", "group_id", "keyvalues", "car"];

/**
 * Implements uploading, listing and deleting of https://docs.pinata.cloud/api-reference, and checks every field. It stands in for
 * both of Pinata's hosts.
 */
export async function startPinataServer({ jwt }: { jwt: string }): Promise<PinataServer> {
  const files = new Map<string, PinataFile>();
  const calls: string[] = [];
  const service = { files, calls, fault: undefined as PinataServer["fault"] };

  const server = await startHttpServer(async (request) => {
    calls.push(`${request.method} ${request.url.pathname}`);
    if (request.headers.authorization !== `Bearer ${jwt}`)
      return reply(401, { error: { message: "Unauthorized" } });
    const { method = request.method } = service.fault ?? {};
    const fault = method === request.method ? service.fault : undefined;
    if (fault?.when === "refuse") return fault.reply;
    const result = await answer(request, files);
    return fault?.when === "lose" ? fault.reply : result;
  });
  return Object.assign(service, server);
}

async function answer(request: Received, files: Map<string, PinataFile>): Promise<Reply> {
  const { method, url } = request;
  if (method === "POST" && url.pathname === "/v3/files") return await upload(request, files);
  if (method === "GET" && url.pathname === "/v3/files/public") {
    const cid = url.searchParams.get("cid");
    const found = [...files.values()].filter((file) => cid === null || file.cid === cid);
    return reply(200, { data: { files: found, next_page_token: "" } });
  }
  const id = /^\/v3\/files\/public\/([^/]+)$/.exec(url.pathname)?.[1];
  if (method === "DELETE" && id !== undefined)
    return files.delete(id) ? reply(200, { data: null }) : reply(404, { error: { message: "not found" } });
  return reply(404, { error: { message: "no such route" } });
}

async function upload(request: Received, files: Map<string, PinataFile>): Promise<Reply> {
  const form = await readForm(request);
  for (const name of form.keys()) {
    assert.ok(uploadFields.includes(name), `there is no field ${name}`);
    assert.equal(form.getAll(name).length, 1);
  }
  // "If not designated it will default to private", which no gateway would serve.
  assert.equal(form.get("network"), "public");
  const name = form.get("name");
  assert.ok(typeof name === "string" && name.length > 0);
  const keyvalues = JSON.parse(String(form.get("keyvalues") ?? "{}"));
  for (const value of Object.values(keyvalues)) assert.equal(typeof value, "string");
  const file = form.get("file");
  assert.ok(file instanceof File);

  const bytes = Buffer.from(await file.arrayBuffer());
  const car = form.get("car");
  assert.ok(car === null || car === "true");
  // How Pinata splits a plain file into chunks isn't documented. Here the result differs from ours.
  const cid = car === "true" ? rootOf(bytes) : bytes.length <= 262_144 ? rawCid(bytes) : "bafy-of-our-own";
  const known = [...files.values()].find((other) => other.cid === cid);
  const stored = known ?? { id: randomUUID(), cid, name, size: bytes.length, keyvalues };
  files.set(stored.id, stored);
  return reply(200, {
    data: {
      ...stored,
      created_at: new Date().toISOString(),
      number_of_files: 1,
      mime_type: file.type,
      user_id: randomUUID(),
      group_id: null,
      is_duplicate: known === undefined ? null : true,
    },
  });
}

function rawCid(bytes: Buffer): string {
  const digest = createHash("sha256").update(bytes).digest();
  return CID.decode(Buffer.concat([Buffer.from([1, 0x55, 0x12, 0x20]), digest])).toString();
}

/** Returns the root of a CARv1 file. Checks every block, and that none is missing. */
function rootOf(car: Buffer): string {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = car[at++] ?? 0;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const headerEnd = varint() + at;
  const header = car.subarray(at, headerEnd);
  assert.equal(header.toString("hex", 0, 13), "a265726f6f747381d82a582500");
  assert.equal(header.toString("hex", 49), "6776657273696f6e01");
  const root = CID.decode(header.subarray(13, 13 + 36)).toString();
  at = headerEnd;
  const blocks = new Map<string, Uint8Array>();
  while (at < car.length) {
    const end = varint() + at;
    const [cid, bytes] = CID.decodeFirst(car.subarray(at, end));
    assert.deepEqual(createHash("sha256").update(bytes).digest(), Buffer.from(cid.multihash.digest));
    blocks.set(cid.toString(), bytes);
    at = end;
  }
  assert.equal(at, car.length);
  const node = blocks.get(root);
  assert.ok(node !== undefined, "the root is in the file");
  for (const cid of blocks.keys())
    assert.ok(
      cid === root || Buffer.from(node).includes(Buffer.from(CID.parse(cid).bytes)),
      "every block belongs to it",
    );
  return root;
}

function reply(status: number, body: unknown): Reply {
  return { status, body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}
