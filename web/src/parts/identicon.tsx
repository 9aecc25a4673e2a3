/** A symmetric pattern in a colour, both from an address. Decoration: the address is always beside it. */
export function Identicon({ address }: { address: string }) {
  const digits = [...address.slice(2)].map((digit) => Number.parseInt(digit, 16));
  const path = digits
    .slice(0, 15)
    .flatMap((digit, at) =>
      digit % 2 === 0 ? [at % 3, 4 - (at % 3)].map((x) => [x, Math.floor(at / 3)]) : [],
    )
    .map(([x, y]) => `M${x} ${y}h1v1h-1z`)
    .join("");
  const style = { "--hue": String(Number.parseInt(address.slice(-3), 16) % 360) };
  return (
    <svg class="identicon" style={style} viewBox="-1 -1 7 7" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
