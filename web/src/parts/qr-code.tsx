import { encode } from "uqr";

/** The modules of quiet space around a code that scanners expect (ISO/IEC 18004). */
const border = 4;

/** A text as a QR code: dark on white in both themes, since not every scanner reads the opposite. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={squares.join("")} />
    </svg>
  );
}
