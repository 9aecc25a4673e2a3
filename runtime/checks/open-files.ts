/** Room for some thousand clients, beside the connections to Postgres and the files of the service itself. */
const enough = 4_096;

/** A warning if this process may open few files, otherwise undefined. */
export function openFilesWarning(limit = readLimit()): string | undefined {
  if (limit >= enough) return undefined;
  return `warning: this process may have ${limit} files open at a time, and each connection is one: raise the limit to ${enough} or more, better 65536 (ulimit -Hn; LimitNOFILE= for systemd; --ulimit nofile= for containers)`;
}

/** Node has already raised the soft limit to the hard one. */
function readLimit(): number {
  // Without names of hosts, which it would look up. Node's types lack the setting.
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const limit = userLimits?.open_files?.soft;
  return typeof limit === "number" ? limit : Number.POSITIVE_INFINITY;
}
