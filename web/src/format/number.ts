/** Formats numbers for people. The input is the API's exact decimal string; the output is rounded. */

const subscripts = ["₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"];

const scales = [
  { from: 1e12, sign: "T" },
  { from: 1e9, sign: "B" },
  { from: 1e6, sign: "M" },
  { from: 1e4, sign: "K", by: 1e3 },
];

/** Below a thousandth, zeros are counted instead of written out: 0.0₅123 is 0.00000123. */
const maxWrittenZeros = 3;

/** Formats with at most `digits` significant digits, with K, M, B from 10,000 and counted zeros below a thousandth. */
export function formatNumber(value: string | number, digits = 4): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return "–";
  if (number === 0) return "0";
  const sign = number < 0 ? "−" : "";
  const size = Math.abs(number);
  // A number that rounds up to the next scale is shown in that scale.
  const rounded = Number(size.toPrecision(Math.min(digits, 15)));
  for (const { from, sign: letter, by = from } of scales) {
    if (rounded >= from) return `${sign}${round(rounded / by, digits)}${letter}`;
  }
  return sign + (rounded >= 10 ** -maxWrittenZeros ? round(rounded, digits) : countZeros(rounded, digits));
}

/** Rounds without exponent or trailing zeros, with commas. */
function round(size: number, digits: number): string {
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return size.toLocaleString("en-US", { maximumFractionDigits: Math.min(decimals, 20) });
}

function countZeros(size: number, digits: number): string {
  const [mantissa = "", exponent = "0"] = size.toExponential(digits - 1).split("e");
  const zeros = -Number(exponent) - 1;
  const count = [...String(zeros)].map((digit) => subscripts[Number(digit)]).join("");
  return `0.0${count}${mantissa.replace(".", "").replace(/0+$/, "")}`;
}

/** Formats a count. Exact up to six digits, such as 12,345. */
export function formatCount(value: number): string {
  return Math.abs(value) < 1e6 ? value.toLocaleString("en-US") : formatNumber(value);
}

export function formatPercent(value: number, decimals = 1): string {
  if (value !== 0 && Math.abs(value) < 10 ** -decimals) return `<${10 ** -decimals}%`;
  return `${value.toLocaleString("en-US", { maximumFractionDigits: Math.abs(value) >= 1_000 ? 0 : decimals })}%`;
}

/** Formats a change with its sign. From 1,000 % it is shown as a factor. */
export function formatChange(percent: number): string {
  if (percent >= 1_000) return `×${formatNumber(1 + percent / 100, 3)}`;
  const size = Math.abs(percent).toLocaleString("en-US", {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const sign = percent >= 0.05 ? "+" : percent <= -0.05 ? "−" : "";
  return `${sign}${size}%`;
}

/** Converts base units to an exact decimal string: 1500000000000000000 becomes 1.5. */
export function fromUnits(raw: string | bigint, decimals = 18): string {
  const digits = String(raw).padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return digits.slice(0, -decimals) + (fraction === "" ? "" : `.${fraction}`);
}

/** Converts a typed decimal number to base units. Undefined if it is not a number or has too many decimals. */
export function toUnits(text: string, decimals = 18): bigint | undefined {
  const match = /^(\d*)\.?(\d*)$/.exec(text.trim().replaceAll(",", ""));
  const [, whole = "", fraction = ""] = match ?? [];
  if (match === null || whole + fraction === "" || fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}
