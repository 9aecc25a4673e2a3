import { CID } from "multiformats/cid";
import { parseImageCid } from "../../src/api/images/cid.ts";
import { buildDag, type Dag } from "../../src/api/images/dag.ts";
import { imageLimits } from "../../src/api/images/limits.ts";
import {
  type ArchivedFile,
  BackupError,
  checkHead,
  imagesFolder,
  imagesList,
  names,
  parseSums,
  readArchive,
  readText,
  sha256,
} from "./archive.ts";

/** Verifies a whole backup. Throws a BackupError if something is missing or a checksum doesn't match. */
export async function verifyBackup(file: string, signal: AbortSignal): Promise<void> {
  const found = new Map<string, string>();
  const list = sha256();
  let sums: Map<string, string> | undefined;
  for await (const entry of readArchive(file)) {
    signal.throwIfAborted();
    const { name } = entry;
    if (sums !== undefined) throw new BackupError(`has ${name} after its end`);
    if (found.size === 0 && name !== names.head) throw new BackupError("is not a backup of this service");
    if (name === names.sums) sums = parseSums(await readText(entry));
    else if (name.startsWith(imagesFolder)) list.update(`${(await readImage(entry)).dag.root}\n`);
    else found.set(name, await computeSum(entry));
  }
  if (sums === undefined) throw new BackupError("is truncated: SHA256SUMS, its last file, is missing");
  found.set(imagesList, list.digest("hex"));
  for (const [name, sum] of sums) {
    if (found.get(name) === undefined) throw new BackupError(`lacks ${name}`);
    if (found.get(name) !== sum) throw new BackupError(`is damaged: the checksum of ${name} does not match`);
  }
  for (const name of [names.head, names.images, names.registrations, imagesList])
    if (!sums.has(name)) throw new BackupError(`has no checksum of ${name}`);
  for (const name of found.keys())
    if (!sums.has(name)) throw new BackupError(`has ${name}, which this version does not know`);
}

async function computeSum(entry: ArchivedFile): Promise<string> {
  if (entry.name === names.head) {
    const text = await readText(entry);
    checkHead(text);
    return sha256().update(text).digest("hex");
  }
  const sum = sha256();
  for await (const bytes of entry.bytes()) sum.update(bytes);
  return sum.digest("hex");
}

/** Reads an image of a backup. Throws a BackupError if its bytes don't match its CID. */
export async function readImage({ name, size, bytes }: ArchivedFile): Promise<{ bytes: Buffer; dag: Dag }> {
  const cid = parseImageCid(name.slice(imagesFolder.length));
  if (cid === undefined || size > imageLimits.bytes)
    throw new BackupError(`has ${name}, which is not an image`);
  const parts: Buffer[] = [];
  for await (const part of bytes()) parts.push(part);
  const all = Buffer.concat(parts);
  const dag = await buildDag(all);
  if (!dag.root.equals(CID.parse(cid)))
    throw new BackupError(`is damaged: the bytes of ${name} are not those of its CID`);
  return { bytes: all, dag };
}
