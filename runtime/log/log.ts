import { stripVTControlCharacters, styleText } from "node:util";
import type { Environment } from "../../config/env.ts";
import { type LogLevel, type LogSettings, logLevels, readLogSettings } from "../../config/log.ts";
import { percentDecode } from "../../config/parse.ts";
import type { Variables } from "../../config/values.ts";

/** Logs a line, at the level `info` by default, and `warn` if it begins with "warning: ". */
export type Log = (line: string, level?: LogLevel) => void;

/** One line of the log. The other fields say what it is about. */
export type LogRecord = { time: number; level: LogLevel; msg: string; [field: string]: unknown };

type Terminal = Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;

/** A progress line of the chain gate during a first sync: chain, percentage and details. */
const progressLine = /^(chain \d+): history (\d+) %: (.*)$/;

const barWidth = 24;

/** Creates the log of a process. Everything that the process and its children log goes through it. */
export function createLog(terminal: Terminal = process.stdout) {
  let settings: LogSettings = { level: "info", format: "pretty" };
  const redactors: ((text: string) => string)[] = [];
  /** Progress of the first sync of each chain, shown below all other lines. */
  const bars = new Map<string, string>();

  const redact = (text: string) => redactors.reduce((result, apply) => apply(result), text);

  function writeRecord(record: LogRecord): void {
    if (logLevels.indexOf(record.level) > logLevels.indexOf(settings.level)) return;
    if (settings.format === "json") return void terminal.write(`${renderJson(record, redact)}\n`);
    const clear = bars.size > 0 ? `\x1b[${bars.size}A\x1b[J` : "";
    const [, chain, percent, rest] = (terminal.isTTY && record.msg.match(progressLine)) || [];
    let line = "";
    if (chain === undefined) line = `${redact(renderPretty(record, terminal.isTTY))}\n`;
    else if (percent === "100") bars.delete(chain);
    else bars.set(chain, `${chain} [${renderBar(Number(percent))}] ${percent} %: ${rest}`);
    const drawn = [...bars.values()].map((bar) => `${bar.slice(0, terminal.columns)}\n`);
    const text = [clear, line, ...drawn].join("");
    if (text !== "") terminal.write(text);
  }

  const log: Log = (line, level) => {
    const warning = /^warning: /.exec(line)?.[0];
    const msg = line.slice(warning?.length ?? 0);
    writeRecord({ time: Date.now(), level: level ?? (warning === undefined ? "info" : "warn"), msg });
  };

  return {
    log,
    writeRecord,
    /** Follows `LOG_FORMAT` and `LOG_LEVEL` from now on. */
    configure(variables: Variables): void {
      settings = readLogSettings(variables);
    },
    /** Applies the function to every line from now on, to remove secrets. */
    addRedactor: (redactor: (text: string) => string) => void redactors.push(redactor),
    level: () => settings.level,
  };
}

function renderJson({ time, level, msg, ...fields }: LogRecord, redact: (text: string) => string): string {
  return JSON.stringify(
    { time: new Date(time).toISOString(), level, msg: stripVTControlCharacters(msg).trim(), ...fields },
    // Before a text is quoted, since quoting may change a secret in it.
    (_, value) => (typeof value === "string" ? redact(value) : value),
  );
}

const colors = { error: "red", warn: "yellow", info: "green", debug: "blue", trace: "gray" } as const;

/** A message that begins with a line break is a page for people, which has no time and level. */
function renderPretty({ time, level, msg, ...fields }: LogRecord, isColored = false): string {
  if (msg.startsWith("\n")) return msg;
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isColored ? styleText(style, text) : text;
  const label = paint(colors[level], level.toUpperCase().padEnd(5));
  return `${paint("dim", new Date(time).toISOString())} ${label} ${renderMessage({ msg, ...fields }, paint)}`;
}

type Paint = (style: "dim", text: string) => string;

/** The message with its fields, and an error's stack below them. */
export function renderMessage(
  { msg, error, duration, ...fields }: Omit<LogRecord, "time" | "level">,
  paint: Paint = (_, text) => text,
): string {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${renderValue(value)}`);
  const time = typeof duration === "number" ? ` (${Math.round(duration)} ms)` : "";
  return `${msg}${paint("dim", pairs.join("") + time)}${renderError(error)}`;
}

const renderValue = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));

function renderError(error: unknown): string {
  if (typeof error !== "object" || error === null) return error === undefined ? "" : ` error=${error}`;
  const { stack, name, type = name, message, where, meta } = error as Record<string, unknown>;
  // Ponder removes the stack of errors that are an endpoint's.
  const lines = [stack || `${type}: ${message}`, where && `where: ${where}`, meta];
  return lines.map((line) => (line ? `\n${line}` : "")).join("");
}

function renderBar(percent: number): string {
  const done = Math.round((percent * barWidth) / 100);
  return "=".repeat(done) + "-".repeat(barWidth - done);
}

/** The log of this process. */
export const { log, writeRecord, configure: configureLog, addRedactor, level: logLevel } = createLog();

/** Creates a function that removes the secrets in the settings from a log line. */
export function settingsRedactor(
  { chains, images: { pinata, kubo, s3 } }: Pick<Environment, "chains" | "images">,
  ...databaseUrls: (string | undefined)[]
): (line: string) => string {
  const ofChains = chains.flatMap(({ rpcUrls, webSocketUrls, historySource }) => [
    ...rpcUrls,
    ...webSocketUrls,
    historySource,
  ]);
  const urls = [...ofChains, ...databaseUrls, kubo?.url];
  return redactor(
    urls.filter((url) => url !== undefined),
    [pinata?.jwt, kubo?.token, s3?.accessKeyId, s3?.secretAccessKey].filter((token) => token !== undefined),
  );
}

/**
 * Creates a function that removes secrets from a log line: tokens, and the user names, passwords, and keys in the paths and
 * queries of URLs. Hosts stay, to show which endpoint a line is about.
 */
export function redactor(urls: string[], tokens: string[] = []): (line: string) => string {
  const secrets = [...urls.flatMap(secretsOf), ...tokens].sort((left, right) => right.length - left.length);
  return (line) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, "/…"), line);
}

function secretsOf(text: string): string[] {
  const url = new URL(text);
  // The path of a database's URL is its name, a word that other lines have too.
  const pathname = url.protocol.startsWith("postgres") ? "" : url.pathname;
  const wholes = [
    `${pathname}${url.search}`,
    url.search,
    percentDecode(url.password) ?? "",
    url.password,
    url.searchParams.get("password") ?? "",
  ];
  // An endpoint may quote only the key in an error. A short segment is a version or a word, not a key.
  const parts = [...pathname.split("/"), ...url.searchParams.values()];
  return [
    // A short one ("/", "/v2") is no secret, and would match inside other words.
    ...wholes.filter((secret) => secret.length >= 6),
    ...parts.filter((part) => part.length >= 16),
  ];
}
