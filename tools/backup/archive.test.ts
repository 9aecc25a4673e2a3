import { expect, test } from "vitest";
import { BackupError, createLineFile, parseHead } from "./archive.ts";

/** Each write to this device fails as on a full disk. */
const fullDisk = "/dev/full";

test.runIf(process.platform === "linux")(
  "a full disk fails the next line or the end of the file, and nothing else",
  async () => {
    const lines = await createLineFile(fullDisk);
    const write = async () =>
      await lines.write("line\n").then(
        () => "written",
        ({ code }) => code,
      );
    // The error comes while nobody writes.
    expect(await write()).toBe("written");
    await expect.poll(write).toBe("ENOSPC");
    await expect(lines.end()).rejects.toMatchObject({ code: "ENOSPC" });
  },
);

test.each([
  ["{'format\":1}", /damaged: backup\.json/],
  ['{"fprmat":1,"createdAt":""}', /damaged: backup\.json/],
  ['{"format":2,"createdAt":""}', /has the format 2/],
])("a backup whose first file is %s is refused with what is wrong with it", (text, message) => {
  expect(() => parseHead(text)).toThrow(BackupError);
  expect(() => parseHead(text)).toThrow(message);
});
