import { randomBytes } from "node:crypto";
import sharp from "sharp";
import type { Attack, AttackRequest } from "./attack.ts";

const boundary = "------------------------attack";

/** A JPEG of slightly less than 5 MB. It is noise, which compresses badly in any format. */
async function photo(): Promise<Buffer> {
  const [width, height] = [2_600, 2_000];
  const pixels = randomBytes(width * height * 3);
  for (let quality = 90; quality > 0; quality -= 10) {
    const image = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality })
      .toBuffer();
    if (image.length < 5 * 1_024 * 1_024) return image;
  }
  throw new Error("no quality makes the photo small enough");
}

function upload(image: Buffer): AttackRequest {
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
    ),
    image,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return {
    method: "POST",
    path: "/api/upload-image",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body,
  };
}

export const uploads: Attack = {
  description: "POST /api/upload-image, photos of nearly 5 MB",
  prepare: async () => {
    const request = upload(await photo());
    return () => request;
  },
};

export const unreadImages: Attack = {
  description: "GET /ipfs/{cid}, an image of nearly 5 MB that nobody reads",
  prepare: async (ask) => {
    const { status, body } = await ask(upload(await photo()));
    if (status !== 200 && status !== 201) throw new Error(`the image was not taken: ${status} ${body}`);
    const { url, cid } = JSON.parse(body) as { url?: string; cid?: string };
    const path = cid === undefined ? new URL(url ?? "").pathname : `/ipfs/${cid}`;
    return () => ({ path, hold: "answer" });
  },
};
