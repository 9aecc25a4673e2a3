import { writeFile } from "node:fs/promises";
import { castSearcher } from "./cast.ts";
import { contenderNames } from "./contenders.ts";
import { measureHttp } from "./http.ts";
import { measure } from "./measure.ts";
import { readOptions } from "./options.ts";
import { formatReport, makeReport } from "./report.ts";
import { contenderSearcher, ourSearcher } from "./searcher.ts";
import { installTools } from "./tools.ts";

try {
  const options = readOptions();
  const { threads, salts, url, json } = options;
  installTools();
  const searchers = [
    ourSearcher("simd", threads),
    ourSearcher("scalar", threads),
    castSearcher(threads),
    ...(await Promise.all(contenderNames.map((name) => contenderSearcher(name, threads)))),
  ];
  const measurements = await measure(searchers, options, console.log);
  for (const { close } of searchers) await close();
  const http = url === undefined ? undefined : await measureHttp(url, salts);
  const report = makeReport(options, measurements, http);
  console.log(formatReport(report));
  if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
