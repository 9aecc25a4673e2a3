// A server of ClickHouse's HTTP interface, on chdb: ClickHouse's engine as a library. Run with the folders of chdb and of its data.
// Of https://clickhouse.com/docs/interfaces/http it has what the sink uses: the query in the body, or in `query` with data in the body;
// `database`, `param_*` and settings in the address; the headers for the login; and the codes of exceptions.
import { createServer } from "node:http";
import { createRequire } from "node:module";

const [chdbFolder, dataFolder, password] = process.argv.slice(2);
const { Session } = createRequire(`${chdbFolder}/`)("chdb");
const session = new Session(dataFolder);

const quote = (text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** Node takes a header for Latin-1. */
const decode = (header) => Buffer.from(header, "latin1").toString();

function run(url, body) {
  const parameters = new Map(url.searchParams);
  const query = parameters.get("query");
  session.query(`use ${parameters.get("database") ?? "default"}`);
  session.query("set insert_deduplication_token = ''");
  for (const [name, value] of parameters) {
    if (name !== "query" && name !== "database") session.query(`set ${name} = ${quote(value)}`);
  }
  return session.query(query === undefined ? body : `${query}\n${body}`, "TabSeparated");
}

function answer({ headers, url }, body) {
  const isKnown =
    headers["x-clickhouse-user"] === "default" && decode(headers["x-clickhouse-key"]) === password;
  if (!isKnown)
    return {
      status: 403,
      code: "516",
      text: "Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED)\n",
    };
  try {
    return { status: 200, text: run(new URL(url, "http://127.0.0.1"), body) };
  } catch (error) {
    const text = String(error.message).replace("Query failed: ", "");
    const code = /Code: (\d+)/.exec(text)?.[1] ?? "1002";
    return { status: ["60", "81"].includes(code) ? 404 : 500, code, text: `${text}\n` };
  }
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { status, code, text } = answer(request, Buffer.concat(chunks).toString());
  response.writeHead(status, code === undefined ? {} : { "x-clickhouse-exception-code": code }).end(text);
});
server.listen(0, "127.0.0.1", () => console.log(`chdb listens at ${server.address().port}`));
