import { useState } from "preact/hooks";
import { t } from "../language/messages.ts";
import { Icon } from "./icons.tsx";

/** A button that copies a text and confirms it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      // Clipboards need HTTPS or localhost, and permission.
      setState("refused");
    }
    setTimeout(() => setState("idle"), 2_000);
  };
  const said = { idle: "", copied: t.common.copied, refused: t.common.copyRefused }[state];
  return (
    <button type="button" class="icon-button" aria-label={label} title={said || label} onClick={copy}>
      <Icon name={state === "copied" ? "check" : "copy"} />
      <span class="visually-hidden" role="status">
        {said}
      </span>
    </button>
  );
}
