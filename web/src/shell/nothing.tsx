import { withChain } from "../routing/with-chain.ts";
import { Title } from "./title.tsx";

export function NothingPage() {
  return (
    <div class="empty">
      <Title>Not found</Title>
      <h1>There is nothing here</h1>
      <p>
        The address may be misspelled. <a href={withChain("/")}>All tokens</a> are one click away.
      </p>
    </div>
  );
}
