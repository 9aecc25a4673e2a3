import { StringDecoder } from "node:string_decoder";

/**
 * Reads the lines of a UTF-8 text, without their line breaks. Node's readline also ends them at U+2028 and U+2029, which JSON, and so
 * what strangers have written in it, may have within a line.
 */
export async function* readLines(input: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of input) {
    const lines = (rest + (typeof chunk === "string" ? chunk : decoder.write(chunk))).split(/\r?\n/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  rest += decoder.end();
  if (rest !== "") yield rest;
}
