import fc from "fast-check";
import { anyCharacter } from "../any-character.ts";
import type { MalformedRequest } from "./requests.ts";

/** A form whose files are no valid images, since valid ones would be stored. */
export function formRequest(target: string): fc.Arbitrary<MalformedRequest> {
  const start = fc.constantFrom(
    "\x89PNG\r\n\x1a\n",
    "GIF89a",
    "\xff\xd8\xff\xe0",
    "<svg>",
    "RIFF\0\0\0\0WEBP",
    "",
  );
  const part = fc.tuple(
    fc.constantFrom("file", "file", "file", "image", "__proto__", "", "a".repeat(300)),
    fc.constantFrom(' ; filename="a.png"', '; filename="../../a"', "; filename*=UTF-8''%ff", ""),
    fc.constantFrom("image/png", "image/svg+xml", "text/html", "a"),
    fc.tuple(start, fc.string({ unit: anyCharacter, maxLength: 300 })).map((texts) => texts.join("")),
  );
  return fc
    .tuple(
      fc.array(part, { maxLength: 3 }),
      // The form is usually complete, so that its contents are examined.
      fc.constantFrom("b", "b", "b", "b", "c", ""),
      fc.constantFrom("--b--", "--b--", "--b--", "--b", ""),
    )
    .chain(([parts, boundary, end]) => {
      const texts = parts.map(
        ([name, filename, type, data]) =>
          `--b\r\nContent-Disposition: form-data; name="${name}"${filename}\r\nContent-Type: ${type}\r\n\r\n${data}\r\n`,
      );
      const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
      const body = texts.join("") + end;
      return fc.boolean().map((isChunked) => ({ method: "POST", target, headers, body, isChunked }));
    });
}
