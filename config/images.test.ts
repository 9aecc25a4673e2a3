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
  [{ IMAGE_PROVIDER: "s3" }, "IMAGE_PROVIDER is wrong: it must be local, kubo or pinata"],
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
