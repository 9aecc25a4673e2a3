import { useState } from "preact/hooks";
import { t } from "../language/messages.ts";
import { IconButton } from "../parts/icons.tsx";
import { lazyPage } from "../routing/lazy.tsx";
import type { AlertDialogProps } from "./dialog.tsx";

const Nothing = () => null;

const AlertDialog = lazyPage<AlertDialogProps>("alerts", () => import("./dialog.tsx"), Nothing);

/** A button that opens the dialog in which an alert about a token or an account is set. */
export function Bell(about: Omit<AlertDialogProps, "onClose">) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton
        icon="bell"
        label={t.common.setAlert}
        title={t.common.setAlert}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <AlertDialog {...about} onClose={() => setIsOpen(false)} />}
    </>
  );
}
