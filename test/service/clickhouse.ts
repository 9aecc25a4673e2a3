import path from "node:path";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { until } from "./condition.ts";
import { asWritten, microseconds, type TextRow } from "./lake-rows.ts";
import { installNpmProgram } from "./npm-program.ts";
import { runProgram } from "./program.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** ClickHouse's engine, which has 550 MB. */
const chdb = "chdb@3.4.0";

export const clickHousePassword = "p@ss:wörd/";

/** Starts ClickHouse's engine behind its HTTP interface. */
export async function startClickHouse() {
  const place = await temporaryFolder();
  const program = runProgram(path.join(projectDir, "test/doubles/chdb-server.mjs"), {
    args: [await installNpmProgram(chdb), path.join(place.folder, "data"), clickHousePassword],
  });
  const port = await until("chdb", async () => {
    if (program.hasExited()) throw new Error(program.output());
    return /listens at (\d+)/.exec(program.output())?.[1];
  });
  /** @param parameters of the query (`param_*`), and settings */
  const query = async (sql: string, parameters: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/?${new URLSearchParams(parameters)}`, {
      method: "POST",
      headers: {
        "x-clickhouse-user": "default",
        "x-clickhouse-key": Buffer.from(clickHousePassword).toString("latin1"),
      },
      body: sql,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    query,
    /** The rows of a table in the form of {@link asWritten}. */
    async rows(from: string, order: string): Promise<TextRow[]> {
      const settings = ["64bit_integers", "decimals"].map((kind) => `output_format_json_quote_${kind} = 1`);
      const text = await query(
        `select * from ${from} order by ${order} settings ${settings.join(", ")} format JSONEachRow`,
      );
      const lines = text.split("\n").filter(Boolean);
      return lines.map((line) => {
        // Columns that Postgres doesn't have.
        const { snapshot_block: _, day: __, ...row } = JSON.parse(line) as Record<string, unknown>;
        const { registered_at: time } = row;
        return asWritten(time === undefined ? row : { ...row, registered_at: microseconds(`${time}Z`) });
      });
    },
    async stop() {
      program.kill("SIGKILL");
      await program.exited;
      await place.remove();
    },
  };
}
