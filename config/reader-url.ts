/** Whether reads connect to another address than writes: to a replica, or to the same server by another name. */
export function readsElsewhere(databaseUrl: string, readUrl: string): boolean {
  return addressOf(databaseUrl) !== addressOf(readUrl);
}

/** The connection string with which the role of `readUrl` reads from the server of `databaseUrl`. */
export function readerOnPrimary(databaseUrl: string, readUrl: string): string {
  const reader = new URL(readUrl);
  const url = new URL(databaseUrl);
  for (const [parameter, part] of [
    ["user", "username"],
    ["password", "password"],
  ] as const) {
    const value = reader.searchParams.get(parameter) ?? decodeURIComponent(reader[part]);
    url.searchParams.delete(parameter);
    url[part] = "";
    // Without a host, as for a socket, a URL has no place for them.
    if (url.host === "") url.searchParams.set(parameter, value);
    else url[part] = encodeURIComponent(value);
  }
  return url.href;
}

function addressOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${searchParams.get("host") ?? hostname} ${searchParams.get("port") ?? (port || 5432)}`;
}
