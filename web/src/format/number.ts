import { t } from "../language/messages.ts";

/**
 * Formats numbers for people, and reads those that people type. Formatted numbers are rounded, and never have a comma: in an input, a
 * comma is the decimal separator, so "1,235" copied from a page would be read as 1.235.
 */

const subscripts = ["₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"];

/** Below a thousandth, zeros are counted instead of written out: 0.0₅123 is 0.00000123. */
const maxWrittenZeros = 3;

/** Formats with at most `digits` significant digits, with K, M, B (in Chinese 万, 亿) from 10,000 and counted zeros below a thousandth. */
export function formatNumber(value: string | number, digits = 4): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return "–";
  if (number === 0) return "0";
  const sign = number < 0 ? "−" : "";
  const size = Math.abs(number);
  // A number that rounds up to the next scale is shown in that scale.
  const rounded = Number(size.toPrecision(Math.min(digits, 15)));
  for (const { from, sign: unit, by = from } of t.scales) {
    if (rounded >= from) return `${sign}${round(rounded / by, digits)}${unit}`;
  }
  return sign + (rounded >= 10 ** -maxWrittenZeros ? round(rounded, digits) : countZeros(rounded, digits));
}

/** Rounds without exponent, trailing zeros or groups. */
function round(size: number, digits: number): string {
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return formatPlain(size, { maximumFractionDigits: Math.min(decimals, 20), useGrouping: false });
}

const formatters = new Map<string, Intl.NumberFormat>();

/** As `toLocaleString`, which makes another formatter each time and takes 40 times as long. A page shows hundreds of numbers. */
function formatPlain(value: number, options: Intl.NumberFormatOptions = {}): string {
  const key = JSON.stringify(options);
  const formatter = formatters.get(key) ?? new Intl.NumberFormat("en-US", options);
  formatters.set(key, formatter);
  return formatter.format(value);
}

/** Groups thousands with narrow spaces, as ISO 80000 does: 12 345. {@link parseAmount} refuses spaces. */
export const groupDigits = (value: number, options?: Intl.NumberFormatOptions): string =>
  formatPlain(value, options).replaceAll(",", "\u202f");

function countZeros(size: number, digits: number): string {
  const [mantissa = "", exponent = "0"] = size.toExponential(digits - 1).split("e");
  const zeros = -Number(exponent) - 1;
  const count = [...String(zeros)].map((digit) => subscripts[Number(digit)]).join("");
  return `0.0${count}${mantissa.replace(".", "").replace(/0+$/, "")}`;
}

/** Formats a count. Exact up to six digits, such as 12 345. */
export function formatCount(value: number): string {
  return Math.abs(value) < 1e6 ? groupDigits(value) : formatNumber(value);
}

/** Formats a percentage. What is not nothing never looks like 0, and what is not all never like 100. */
export function formatPercent(value: number, decimals = 1): string {
  const step = 10 ** -decimals;
  if (value !== 0 && Math.abs(value) < step) return `<${step}%`;
  const shown = value < 100 ? Math.min(value, 100 - step) : value;
  return `${groupDigits(shown, { maximumFractionDigits: Math.abs(value) >= 1_000 ? 0 : decimals })}%`;
}

/** Formats a change with its sign. From 1,000 % it is shown as a factor. */
export function formatChange(percent: number): string {
  if (percent >= 1_000) return `×${formatNumber(1 + percent / 100, 3)}`;
  const size = formatPlain(Math.abs(percent), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const sign = percent >= 0.05 ? "+" : percent <= -0.05 ? "−" : "";
  return `${sign}${size}%`;
}

/** Converts base units to an exact decimal string: 1500000000000000000 becomes 1.5. */
export function fromUnits(raw: string | bigint, decimals = 18): string {
  const digits = String(raw).padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return digits.slice(0, -decimals) + (fraction === "" ? "" : `.${fraction}`);
}

/** What a person typed: base units, or why it is not an amount. Neither if nothing was typed. */
export type TypedAmount = { units?: bigint; problem?: string };

/**
 * Reads an amount that a person typed or pasted, in whichever language. A single comma or point is the decimal separator. Whatever
 * could mean two numbers is refused: `1,234.5`, `1.234.567`, `1 000`, `1e5`.
 */
export function parseAmount(text: string, decimals = 18): TypedAmount {
  const typed = text.trim();
  if (typed === "") return {};
  if (/^[\d.,]+$/.test(typed) && typed.replace(/\d+/g, "").length > 1) {
    return { problem: t.amount.oneSeparator };
  }
  const [, whole = "", fraction = ""] = /^(\d*)[.,]?(\d*)$/.exec(typed) ?? [];
  if (whole + fraction === "") {
    return { problem: t.amount.notANumber };
  }
  if (fraction.length > decimals) return { problem: t.amount.tooManyDecimals(decimals) };
  if (whole.replace(/^0+/, "").length > maxWholeDigits) return { problem: t.amount.tooLarge };
  return { units: BigInt(whole + fraction.padEnd(decimals, "0")) };
}

/** A typed number with a point for its only comma, and a zero before it: `,5` is 0.5. */
export const withPoint = (text: string): string => text.trim().replace(",", ".").replace(/^\./, "0.");

/**
 * Whether a comma or a point may be meant as a thousands separator: 10,000 and 10.000 are ten thousand to some, and ten to others. A point
 * before other digits than zeros, as in 10.125, is far more often the decimal one. For numbers that nothing repeats to whoever typed them.
 */
export const hasThousands = (text: string): boolean => /^[1-9]\d{0,2}(,\d{3}|\.000)$/.test(text.trim());

/** Far more than there is of any token, and small enough for a contract's numbers. */
const maxWholeDigits = 40;

/** Formats an amount in base units, rounded down: nobody has, or gets, a little less than what is shown. */
export function formatDown(raw: string | bigint, digits = 4): string {
  const text = String(BigInt(raw));
  return formatNumber(fromUnits(text.slice(0, digits).padEnd(text.length, "0")), digits);
}
