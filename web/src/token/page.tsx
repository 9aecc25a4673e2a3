export default function TokenPage({ mint }: { mint: string }) {
  return <h1>{mint}</h1>;
}
