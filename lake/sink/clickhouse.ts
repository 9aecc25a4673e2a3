import { codeOf } from "../../config/error-code.ts";
import { percentDecode } from "../../config/parse.ts";
import { StartError } from "../../runtime/start-error.ts";

/** A database of a ClickHouse server, over its HTTP interface. */
export type ClickHouse = {
  /** Host, port and database, for messages. */
  name: string;
  /** Runs a statement. `parameters` are its `{name:Type}`. */
  run: (sql: string, parameters?: Parameters) => Promise<void>;
  rows: <Row>(sql: string, parameters?: Parameters) => Promise<Row[]>;
  /**
   * Inserts rows in the format TabSeparated. Rows whose token the table has seen before are ignored, whatever they are, if the table
   * deduplicates.
   */
  insert: (table: string, columns: string[], rows: Uint8Array<ArrayBuffer>, token?: string) => Promise<void>;
};

type Parameters = Record<string, string | number>;

/** The server refused a request or could not be asked. */
export class ClickHouseError extends Error {
  override name = "ClickHouseError";
  /** ClickHouse's code for the error; undefined if there was no answer, or none of ClickHouse's. */
  readonly code: number | undefined;

  constructor(message: string, code: number | undefined, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.code === undefined || temporaryCodes.has(this.code);
  }
}

/** Time, memory, disk, parts, other queries, replicas, a shutdown: https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
const temporaryCodes = new Set([159, 202, 209, 210, 236, 241, 242, 243, 252, 285, 319, 394, 439, 999]);

/** Older servers ignore the token of an insert into a table that is not replicated. */
const oldestVersion = [23, 8] as const;

/** A large insert takes seconds. */
const requestMs = 120_000;

const scheme = "clickhouse://";

export type Address = { url: URL; user: string; password: string; database: string };

/**
 * Parses `clickhouse://user:password@host:8123/database`, with `?secure` for TLS as in ClickHouse's own connection strings. Throws a
 * StartError, which never has the password.
 *
 * @param otherwise the password if the address has none
 */
export function parseAddress(text: string, otherwise = ""): Address {
  const usage = "it is clickhouse://user:password@host:8123/database, with ?secure for TLS";
  if (!text.startsWith(scheme)) throw new StartError(`--to is no address of ClickHouse: ${usage}`);
  // Only for schemes that it knows does URL decode names. It leaves out the scheme's own port, which may be named here all the same.
  const url = URL.parse(text.replace("clickhouse:", "http:"));
  const port = url?.port || URL.parse(text.replace("clickhouse:", "https:"))?.port;
  // An @ after a /, ? or # shows that those belong to a password, of which errors would have a part.
  if (url === null || /#|[/?].*@/.test(text.slice(scheme.length)) || percentDecode(text) === undefined) {
    const escapes = "%40 for an @, %2F for a /, %3F for a ?, %23 for a # and %25 for a %";
    throw new StartError(`--to can't be read: ${usage}; a password has ${escapes}`);
  }
  const secure = url.searchParams.get("secure");
  url.searchParams.delete("secure");
  const [other] = url.searchParams.keys();
  const database = decodeURIComponent(url.pathname.slice(1));
  if (other !== undefined) throw new StartError(`--to has ?${other}: ${usage}`);
  if (database.includes("/")) throw new StartError(`--to has a path: ${usage}`);
  const isSecure = secure !== null && !["0", "false", "no"].includes(secure);
  return {
    url: new URL(`${isSecure ? "https" : "http"}://${url.hostname}:${port || (isSecure ? "8443" : "8123")}/`),
    user: decodeURIComponent(url.username) || "default",
    password: decodeURIComponent(url.password) || otherwise,
    database: database || "default",
  };
}

/** Connects, and checks address, login, database and version. Throws a StartError. */
export async function openClickHouse(address: Address, signal: AbortSignal): Promise<ClickHouse> {
  const clickHouse = createClickHouse(address, signal);
  try {
    const [server] = await clickHouse.rows<{ version?: string }>("select version() as version");
    const version = server?.version ?? "";
    const [year = 0, month = 0] = version.split(".").map(Number);
    if (year < oldestVersion[0] || (year === oldestVersion[0] && month < oldestVersion[1])) {
      const oldest = oldestVersion.join(".");
      throw new StartError(`${clickHouse.name} is ClickHouse ${version}: it has to be ${oldest} or later`, {
        code: "wrong-version",
      });
    }
  } catch (error) {
    throw explain(error, clickHouse.name, address);
  }
  return clickHouse;
}

function createClickHouse({ url, user, password, database }: Address, signal: AbortSignal): ClickHouse {
  const name = `${url.host}/${database}`;
  const ask = async (
    sql: string,
    options: { parameters?: Parameters; settings?: Parameters; rows?: Uint8Array<ArrayBuffer> },
  ) => {
    const target = new URL(url);
    const settings = {
      database,
      output_format_json_quote_64bit_integers: 0,
      ...options.settings,
    };
    for (const [key, value] of Object.entries(settings)) target.searchParams.set(key, String(value));
    for (const [key, value] of Object.entries(options.parameters ?? {}))
      target.searchParams.set(`param_${key}`, String(value));
    if (options.rows !== undefined) target.searchParams.set("query", sql);
    let response: Response;
    let body: string;
    try {
      response = await fetch(target, {
        method: "POST",
        headers: { "x-clickhouse-user": encodeHeader(user), "x-clickhouse-key": encodeHeader(password) },
        body: options.rows ?? sql,
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
      });
      body = await response.text();
    } catch (error) {
      signal.throwIfAborted();
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new ClickHouseError(
        `${name} gave no answer: ${cause instanceof Error ? cause.message : cause}`,
        undefined,
        { cause },
      );
    }
    const code = response.headers.get("x-clickhouse-exception-code") ?? /^Code: (\d+)\. DB::/.exec(body)?.[1];
    if (response.ok && code === undefined) return body;
    const message = body.trim().split("\n")[0]?.slice(0, 500);
    throw new ClickHouseError(
      `${name} answered ${response.status}: ${message}`,
      code === undefined ? undefined : Number(code),
    );
  };
  const notClickHouse = (cause?: unknown) =>
    new ClickHouseError(`${name} gave an answer that is not ClickHouse's`, undefined, { cause });
  /** ClickHouse says nothing to what returns no rows. A proxy whose server is gone may, with the status 200, and nothing was done. */
  const expectNothing = (body: string) => {
    if (body.trim() !== "") throw notClickHouse();
  };
  return {
    name,
    async run(sql, parameters) {
      // Otherwise, a database with replicas lists what each of them did.
      const settings = { distributed_ddl_output_mode: "none" };
      expectNothing(await ask(sql, { parameters, settings }));
    },
    async rows<Row>(sql: string, parameters?: Parameters) {
      const body = await ask(`${sql} format JSONEachRow`, { parameters });
      try {
        return body
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Row);
      } catch (cause) {
        throw notClickHouse(cause);
      }
    },
    async insert(table, columns, rows, token) {
      // One block, so that all rows of an insert are stored or none.
      const settings: Parameters = {
        async_insert: 0,
        input_format_parallel_parsing: 0,
        max_insert_block_size: 1_000_000,
      };
      if (token !== undefined)
        Object.assign(settings, { insert_deduplicate: 1, insert_deduplication_token: token });
      const body = await ask(
        `insert into ${table} (${columns.map((column) => `\`${column}\``).join(", ")}) format TabSeparated`,
        {
          rows,
          settings,
        },
      );
      expectNothing(body);
    },
  };
}

/** A header's value is Latin-1 for fetch, and UTF-8 for ClickHouse. */
const encodeHeader = (text: string) => Buffer.from(text, "utf8").toString("latin1");

const authenticationFailed = 516;
const unknownDatabase = 81;
const accessDenied = 497;

/** Turns an error of the first request into one that says what to do. Other errors are returned unchanged. */
function explain(error: unknown, name: string, { url, user, database }: Address): unknown {
  if (!(error instanceof ClickHouseError)) return error;
  if (error.cause instanceof SyntaxError) {
    return new StartError(`what answers at ${url.host} is not ClickHouse`, { cause: error });
  }
  const fail = (message: string) => new StartError(message, { cause: error });
  if (error.code === authenticationFailed)
    return fail(`${name} refuses user ${user}: name or password is wrong`);
  if (error.code === unknownDatabase) {
    return fail(
      `${url.host} has no database ${database}: create it (create database ${database}), or name another one`,
    );
  }
  if (error.code === accessDenied) return fail(`user ${user} may not use ${name}: ${error.message}`);
  const reason = codeOf(error.cause);
  if (reason === "ENOTFOUND" || reason === "EAI_AGAIN") {
    return new StartError(`there is no host ${url.hostname}`, { code: "not-reachable", cause: error });
  }
  if (reason === "ECONNREFUSED") {
    const ports = "ClickHouse's HTTP interface is on port 8123, with TLS on 8443";
    return new StartError(`nothing listens at ${url.host}: ${ports}`, {
      code: "not-reachable",
      cause: error,
    });
  }
  if (reason.startsWith("ERR_SSL") || reason.startsWith("ERR_TLS") || reason.includes("CERT")) {
    const hint =
      reason === "ERR_SSL_WRONG_VERSION_NUMBER"
        ? "leave out ?secure if it speaks plain HTTP"
        : "its certificate has to be valid for that name";
    return new StartError(`no TLS with ${url.host} (${error.message}): ${hint}`, {
      code: "not-reachable",
      cause: error,
    });
  }
  return new StartError(`${error.message}: is that ClickHouse's HTTP interface?`, {
    code: "not-reachable",
    cause: error,
  });
}
