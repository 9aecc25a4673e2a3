const taken = ["offchain", "ponder_sync"];

/** The longest name that Ponder takes for a schema. */
export const longestSchemaName = 45;

/** What is wrong with a name for the Postgres schema of the on-chain tables; undefined if nothing is. */
export function schemaNameProblem(name: string): string | undefined {
  if (!/^[a-z_][a-z0-9_]*$/.test(name) || name.length > longestSchemaName)
    return `must be at most ${longestSchemaName} lower-case letters, digits or underscores`;
  if (taken.includes(name) || name.startsWith("pg_")) {
    return "must not be offchain, ponder_sync or start with pg_, which have other uses";
  }
  return undefined;
}

/** Whether reads connect to a different address than writes: to a replica, or to the same server by another name. */
export function readsFromOtherServer(databaseUrl: string, readUrl: string): boolean {
  return serverAddress(databaseUrl) !== serverAddress(readUrl);
}

type Login = { user: string; password: string };

/** Returns the connection string for the role of `readUrl` on the server of `databaseUrl`. */
export const readerUrlOnPrimary = (databaseUrl: string, readUrl: string): string =>
  withLogin(databaseUrl, loginOf(readUrl));

/** Returns whom a connection string logs in as. Parameters count before what stands in front of the host. */
export function loginOf(databaseUrl: string): Login {
  const { username, password, searchParams } = new URL(databaseUrl);
  return {
    user: searchParams.get("user") ?? decodeURIComponent(username),
    password: searchParams.get("password") ?? decodeURIComponent(password),
  };
}

/** Returns the connection string with another login. */
export function withLogin(databaseUrl: string, login: Login): string {
  const url = new URL(databaseUrl);
  for (const [parameter, part] of [
    ["user", "username"],
    ["password", "password"],
  ] as const) {
    url.searchParams.delete(parameter);
    url[part] = "";
    // A URL without a host, as for a Unix socket, can have user and password only as parameters.
    if (url.host === "") url.searchParams.set(parameter, login[parameter]);
    else url[part] = encodeURIComponent(login[parameter]);
  }
  return url.href;
}

function serverAddress(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${searchParams.get("host") ?? hostname} ${searchParams.get("port") ?? (port || 5432)}`;
}
