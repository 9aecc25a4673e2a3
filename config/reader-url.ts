/** Whether reads connect to a different address than writes: to a replica, or to the same server by another name. */
export function readsFromOtherServer(databaseUrl: string, readUrl: string): boolean {
  return serverAddress(databaseUrl) !== serverAddress(readUrl);
}

/** Returns the connection string for the role of `readUrl` on the server of `databaseUrl`. */
export function readerUrlOnPrimary(databaseUrl: string, readUrl: string): string {
  const reader = new URL(readUrl);
  const url = new URL(databaseUrl);
  for (const [parameter, part] of [
    ["user", "username"],
    ["password", "password"],
  ] as const) {
    const value = reader.searchParams.get(parameter) ?? decodeURIComponent(reader[part]);
    url.searchParams.delete(parameter);
    url[part] = "";
    // A URL without a host, as for a Unix socket, can have user and password only as parameters.
    if (url.host === "") url.searchParams.set(parameter, value);
    else url[part] = encodeURIComponent(value);
  }
  return url.href;
}

function serverAddress(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${searchParams.get("host") ?? hostname} ${searchParams.get("port") ?? (port || 5432)}`;
}
