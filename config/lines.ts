import { StringDecoder } from "node:string_decoder";

/**
 * Reads the lines of a UTF-8 text, without their line breaks. Node's readline also ends them at U+2028 and U+2029, which JSON, and so
 * what strangers have written in it, may have within a line.
 */
export async function* readLines(input: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of input) {
    // Only what is new is searched: a line may be long.
    const [first = "", ...others] = (typeof chunk === "string" ? chunk : decoder.write(chunk)).split("\n");
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  rest += decoder.end();
  if (rest !== "") yield rest;
}
