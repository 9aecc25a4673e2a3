import assert from "node:assert/strict";
import { importBytes } from "ipfs-unixfs-importer";
import { fixedSize } from "ipfs-unixfs-importer/chunker";
import { balanced } from "ipfs-unixfs-importer/layout";
import { type HttpServer, type Received, type Reply, readForm, startHttpServer } from "./http-server.ts";

export type KuboServer = HttpServer & {
  /** The pinned bytes, by CID. */
  pins: Map<string, Buffer>;
  calls: string[];
  /** A reply in place of the node's, before it does anything ("refuse") or after it has done it ("lose"). */
  fault: { when: "refuse" | "lose"; reply: Reply | undefined } | undefined;
};

/* The defaults of `add` in the RPC reference. */
const addDefaults: Record<string, string> = {
  "cid-version": "0",
  "raw-leaves": "false",
  hash: "sha2-256",
  chunker: "size-262144",
  trickle: "false",
  pin: "true",
  "wrap-with-directory": "false",
  progress: "false",
};

/** Implements add and pin/rm of https://docs.ipfs.tech/reference/kubo/rpc/, and checks every field. */
export async function startKuboServer({ token }: { token?: string } = {}): Promise<KuboServer> {
  const pins = new Map<string, Buffer>();
  const calls: string[] = [];
  const node = { pins, calls, fault: undefined as KuboServer["fault"] };

  const server = await startHttpServer(async (request) => {
    calls.push(`${request.method} ${request.url.pathname}`);
    if (request.headers.authorization !== (token === undefined ? undefined : `Bearer ${token}`))
      return { status: 401, body: "Unauthorized\n" };
    // "All calls use the HTTP POST method"; "405 - HTTP Method Not Allowed".
    if (request.method !== "POST") return { status: 405, body: "405 - Method Not Allowed" };
    const { fault } = node;
    if (fault?.when === "refuse") return fault.reply;
    const reply = await answer(request, pins);
    return fault?.when === "lose" ? fault.reply : reply;
  });
  return Object.assign(node, server);
}

async function answer(request: Received, pins: Map<string, Buffer>): Promise<Reply> {
  const { pathname, searchParams } = request.url;
  if (pathname === "/api/v0/add") return await add(request, pins);
  if (pathname === "/api/v0/pin/rm") {
    assert.equal(searchParams.get("recursive") ?? "true", "true");
    const cid = searchParams.get("arg") ?? "";
    if (!pins.delete(cid)) return failure("not pinned or pinned indirectly");
    return json({ Pins: [cid] });
  }
  return { status: 404, body: "404 page not found\n" };
}

async function add(request: Received, pins: Map<string, Buffer>): Promise<Reply> {
  const options = { ...addDefaults };
  for (const [name, value] of request.url.searchParams) {
    assert.ok(name in addDefaults, `add has no parameter ${name}, or none that this server knows`);
    options[name] = value;
  }
  assert.deepEqual(
    [options.hash, options.trickle, options["wrap-with-directory"], options.progress, options.pin],
    ["sha2-256", "false", "false", "false", "true"],
  );
  const parts = [...(await readForm(request))];
  assert.equal(parts.length, 1, "one file");
  const [name, file] = parts[0] ?? [];
  assert.equal(name, "file");
  assert.ok(file instanceof File && file.type === "application/octet-stream");

  const bytes = Buffer.from(await file.arrayBuffer());
  const rawLeaves = options["raw-leaves"] === "true";
  const chunkSize = Number(/^size-(\d+)$/.exec(options.chunker ?? "")?.[1]);
  const { cid } = await importBytes(
    bytes,
    { put: (blockCid) => blockCid },
    {
      cidVersion: options["cid-version"] === "1" ? 1 : 0,
      rawLeaves,
      reduceSingleLeafToSelf: true,
      chunker: fixedSize({ chunkSize }),
      layout: balanced({ maxChildrenPerNode: 174 }),
    },
  );
  pins.set(cid.toString(), bytes);
  return json({ Name: file.name, Hash: cid.toString(), Size: String(bytes.length) });
}

function json(value: unknown): Reply {
  return {
    status: 200,
    body: `${JSON.stringify(value)}\n`,
    headers: { "content-type": "application/json", trailer: "X-Stream-Error" },
  };
}

function failure(message: string): Reply {
  return {
    status: 500,
    body: `${JSON.stringify({ Message: message, Code: 0, Type: "error" })}\n`,
    headers: { "content-type": "application/json" },
  };
}
