import { blockLength, createWriter, headerLength } from "@ipld/car/buffer-writer";
import { z } from "zod";
import { ignore } from "../../../../config/async.ts";
import type { Dag } from "../dag.ts";
import {
  callProvider,
  type ImageProvider,
  type ProvidedImage,
  type ProviderCall,
  ProviderError,
  type ProviderResponse,
  providerRefused,
} from "./provider.ts";

export type PinataOptions = {
  /** A key with the scopes org:files:write and, to clean up after a failure, org:files:read. */
  jwt: string;
  /** Default: https://uploads.pinata.cloud/v3 */
  uploadUrl?: string | undefined;
  /** Default: https://api.pinata.cloud/v3 */
  apiUrl?: string | undefined;
  timeoutMs?: number;
};

// Marks our files, so that nothing else in the account is ever deleted.
const keyvalues = { source: "launchpad-indexer" };

const uploaded = z.object({
  data: z.object({ id: z.string().min(1), cid: z.string(), is_duplicate: z.boolean().nullish() }),
});
const listed = z.object({
  data: z.object({
    files: z.array(
      z.object({ id: z.string(), cid: z.string(), keyvalues: z.record(z.string(), z.unknown()).nullish() }),
    ),
  }),
});

/**
 * Creates a provider for Pinata's v3 API: https://docs.pinata.cloud/api-reference/endpoint/upload-a-file
 *
 * How Pinata chunks a file is not documented. A file of one block has the same CID in any case. A larger one is sent as a CAR file
 * (`car=true`), in which we determine the blocks, and so the CID.
 */
export function createPinataProvider(options: PinataOptions): ImageProvider {
  const { jwt, timeoutMs = 30_000 } = options;
  const uploadUrl = options.uploadUrl ?? "https://uploads.pinata.cloud/v3";
  const apiUrl = options.apiUrl ?? "https://api.pinata.cloud/v3";
  const call = (method: ProviderCall["method"], url: string, body?: FormData) =>
    callProvider({
      provider: "pinata",
      method,
      url,
      token: jwt,
      timeoutMs,
      body,
    });

  async function removeById(id: string): Promise<void> {
    const answer = await call("DELETE", `${apiUrl}/files/public/${encodeURIComponent(id)}`);
    if (answer.status !== 200 && answer.status !== 404)
      throw providerRefused("pinata", answer.status, answer.text);
  }

  return {
    name: "pinata",
    async add(image) {
      const answer = await call("POST", `${uploadUrl}/files`, uploadForm(image));
      if (answer.status !== 200) throw providerRefused("pinata", answer.status, answer.text);
      const { id, cid, is_duplicate } = read(uploaded, answer).data;
      if (cid !== image.cid) {
        // The upload fails with the original error. A file left at the provider does no harm.
        if (!is_duplicate) await removeById(id).catch(ignore);
        throw new ProviderError(502, "pinata", "stored the image under another CID", { maybeStored: false });
      }
      // A duplicate is somebody else's file in the same account, which must stay when ours is removed.
      return is_duplicate ? null : id;
    },
    async remove(cid, reference) {
      if (reference !== null) return removeById(reference);
      const answer = await call("GET", `${apiUrl}/files/public?${new URLSearchParams({ cid })}`);
      if (answer.status !== 200) throw providerRefused("pinata", answer.status, answer.text);
      for (const file of read(listed, answer).data.files)
        if (file.cid === cid && file.keyvalues?.source === keyvalues.source) await removeById(file.id);
    },
  };
}

function uploadForm({ cid, bytes, mimeType, dag }: ProvidedImage): FormData {
  const form = new FormData();
  const name = `${cid}.${mimeType.replace("image/", "")}`;
  form.append("network", "public");
  form.append("name", name);
  form.append("keyvalues", JSON.stringify(keyvalues));
  if (dag.blocks.length === 1) {
    form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mimeType }), name);
  } else {
    const car = writeCar(dag) as Uint8Array<ArrayBuffer>;
    form.append("car", "true");
    form.append("file", new Blob([car], { type: "application/vnd.ipld.car" }), `${cid}.car`);
  }
  return form;
}

function read<Shape>(schema: z.ZodType<Shape>, { text }: ProviderResponse): Shape {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ProviderError(502, "pinata", "gave an answer that can't be read", { cause });
  }
}

/** Writes the DAG as a CARv1 file, in one buffer of the exact size: https://ipld.io/specs/transport/car/carv1/ */
function writeCar({ root, blocks }: Dag): Uint8Array {
  const headerSize = headerLength({ roots: [root] });
  const size = blocks.reduce((sum, block) => sum + blockLength(block), headerSize);
  const writer = createWriter(new ArrayBuffer(size), { roots: [root], headerSize });
  for (const block of blocks) writer.write(block);
  return writer.close();
}
