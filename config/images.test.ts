import { expect, test } from "vitest";
import { readImageSettings } from "./images.ts";

const read = (environment: Record<string, string>) => {
  const problems: string[] = [];
  return { settings: readImageSettings(environment, "http://localhost:42069", problems), problems };
};

test("without credentials images are local, below our own address", () => {
  expect(read({ PINATA_JWT: "", KUBO_RPC_URL: "" })).toEqual({
    settings: {
      provider: "local",
      pinata: undefined,
      kubo: undefined,
      s3: undefined,
      gatewayUrl: "http://localhost:42069/ipfs",
      budget: { bytes: 1_024 * 1_048_576, bytesPerUploader: 128 * 1_048_576 },
      resizedBytes: 256 * 1_048_576,
      minFreeDiskBytes: 1_024 * 1_048_576,
    },
    problems: [],
  });
});

test("the provider with credentials is chosen, Pinata first, unless another is named", () => {
  const pinata = { PINATA_JWT: "a.b.c" };
  const kubo = { KUBO_RPC_URL: "http://127.0.0.1:5001/", KUBO_RPC_TOKEN: "secret" };
  expect(read(pinata).settings).toMatchObject({
    provider: "pinata",
    pinata: {
      jwt: "a.b.c",
      uploadUrl: "https://uploads.pinata.cloud/v3",
      apiUrl: "https://api.pinata.cloud/v3",
    },
  });
  expect(read(kubo).settings).toMatchObject({
    provider: "kubo",
    kubo: { url: "http://127.0.0.1:5001", token: "secret" },
  });
  expect(read({ ...pinata, ...kubo }).settings?.provider).toBe("pinata");
  const named = read({
    ...pinata,
    ...kubo,
    IMAGE_PROVIDER: "local",
    IPFS_GATEWAY_URL: "https://ipfs.io/ipfs/",
  });
  expect(named.settings).toMatchObject({ provider: "local", gatewayUrl: "https://ipfs.io/ipfs" });
  expect(named.settings?.pinata).toBeDefined();
});

const s3 = {
  IMAGES_S3_ENDPOINT: "https://s3.example/",
  IMAGES_S3_BUCKET: "images",
  IMAGES_S3_ACCESS_KEY_ID: "AKID",
  IMAGES_S3_SECRET_ACCESS_KEY: "secret/+key",
};

test("S3 comes first, and needs an endpoint, a bucket and a key", () => {
  expect(read({ ...s3, PINATA_JWT: "a.b.c" })).toMatchObject({
    problems: [],
    settings: {
      provider: "s3",
      s3: {
        endpoint: "https://s3.example",
        bucket: "images",
        region: "us-east-1",
        accessKeyId: "AKID",
        secretAccessKey: "secret/+key",
        prefix: "",
        cacheBytes: 1_024 * 1_048_576,
      },
    },
  });
  const { problems } = read({ IMAGE_PROVIDER: "s3" });
  expect(problems).toEqual(Object.keys(s3).map((name) => `${name} is missing: images in S3 need it`));
});

test("one client has an eighth of the budget, and room for two images at least", () => {
  const { settings } = read({ IMAGES_UNREGISTERED_MB: "800", IMAGES_MIN_FREE_DISK_MB: "0" });
  expect(settings).toMatchObject({
    budget: { bytes: 800 * 1_048_576, bytesPerUploader: 100 * 1_048_576 },
    minFreeDiskBytes: 0,
  });
  expect(read({ IMAGES_UNREGISTERED_MB: "11" }).settings?.budget.bytesPerUploader).toBe(11 * 1_048_576);
});

test.each([
  [{ IMAGES_RESIZED_MB: "0" }, "IMAGES_RESIZED_MB is wrong: it must be a whole number from 1 to"],
  [{ IMAGES_UNREGISTERED_MB: "10" }, "IMAGES_UNREGISTERED_MB is wrong: it must be a whole number from 11 to"],
  [
    { IMAGES_MIN_FREE_DISK_MB: "-1" },
    "IMAGES_MIN_FREE_DISK_MB is wrong: it must be a whole number from 0 to",
  ],
  [{ IMAGE_PROVIDER: "pinata" }, "PINATA_JWT is missing"],
  [{ IMAGE_PROVIDER: "kubo" }, "KUBO_RPC_URL is missing"],
  [{ IMAGE_PROVIDER: "disk" }, "IMAGE_PROVIDER is wrong: it must be local, kubo, pinata or s3"],
  [{ ...s3, IMAGES_S3_BUCKET: "" }, "IMAGES_S3_BUCKET is missing: images in S3 need it"],
  [{ ...s3, IMAGES_S3_BUCKET: "a/b" }, "IMAGES_S3_BUCKET is wrong: it must be the name of a bucket"],
  [{ ...s3, IMAGES_S3_ENDPOINT: "s3.example" }, "IMAGES_S3_ENDPOINT is wrong: it must be an http(s) URL"],
  [
    { ...s3, IMAGES_S3_SECRET_ACCESS_KEY: "two words" },
    "IMAGES_S3_SECRET_ACCESS_KEY is wrong: it must be a token",
  ],
  [{ ...s3, IMAGES_S3_PREFIX: "/a" }, "IMAGES_S3_PREFIX is wrong: it must have letters, digits"],
  [{ ...s3, IMAGES_S3_CACHE_MB: "1" }, "IMAGES_S3_CACHE_MB is wrong: it must be a whole number from 64 to"],
  [{ KUBO_RPC_URL: "ftp://host" }, "KUBO_RPC_URL is wrong: it must be an http(s) URL"],
  [{ KUBO_RPC_URL: "host" }, "KUBO_RPC_URL is wrong: it must be an http(s) URL"],
  [
    { KUBO_RPC_URL: "http://me:pw@host" },
    "KUBO_RPC_URL is wrong: it must not have a user or a password in it",
  ],
  [{ KUBO_RPC_URL: "http://:pw@host" }, "KUBO_RPC_URL is wrong: it must not have a user or a password in it"],
  [{ PINATA_JWT: "two words" }, "PINATA_JWT is wrong: it must be a token without spaces"],
])("%o is refused", (environment, problem) => {
  const { problems } = read(environment as Record<string, string>);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
  expect(problems[0]).not.toMatch(/pw|two words/);
});
