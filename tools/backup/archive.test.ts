import { expect, test } from "vitest";
import { createLineFile } from "./archive.ts";

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
