import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { chainName } from "../data/chain.ts";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";
import { withChain } from "../routing/routes.ts";
import { account } from "../wallet/account.ts";
import { walletChain } from "../wallet/connection.ts";
import { explain } from "../wallet/explain.ts";
import type { Status } from "../wallet/run-steps.ts";
import { StatusLine } from "../wallet/status-line.tsx";
import { switchChain } from "../wallet/switch-chain.ts";
import { WalletButton } from "../wallet/wallet-button.tsx";
import { failureText } from "./failure-text.ts";
import { ReceiverField } from "./receiver-field.tsx";
import { newDraft, RuleFields } from "./rule-fields.tsx";
import { receiverUrl, type Target, toRule } from "./rules.ts";
import { Secret } from "./secret.tsx";
import { createAlert } from "./sign.ts";
import "./alerts.css";

export type AlertDialogProps = {
  target: Target;
  chain: 56 | 97;
  /** What it is about, as its page's heading has it. */
  name: string;
  onClose: () => void;
};

type Created = Awaited<ReturnType<typeof createAlert>>;

/** The dialog in which an alert is set: what to wait for, where the messages go, and one signature. */
export default function AlertDialog({ target, chain, name, onClose }: AlertDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [created, setCreated] = useState<Created>();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    // A click beside it doesn't close it: what was typed, or the secret, would be lost.
    <dialog ref={dialog} class="dialog alert-dialog" aria-labelledby="alert-title" onClose={onClose}>
      <h2 id="alert-title">
        {created === undefined ? t.alerts.newAlert(<bdi>{name}</bdi>) : t.alerts.created}
      </h2>
      {created === undefined ? (
        <AlertForm target={target} chain={chain} onCreated={setCreated} onCancel={close} />
      ) : (
        <Outcome created={created} onClose={close} />
      )}
    </dialog>
  );
}

type AlertFormProps = Pick<AlertDialogProps, "target" | "chain"> & {
  onCreated: (created: Created) => void;
  onCancel: () => void;
};

function AlertForm({ target, chain, onCreated, onCancel }: AlertFormProps) {
  const [draft, setDraft] = useState(() => newDraft(target));
  const [receiver, setReceiver] = useState("");
  const status = useSignal<Status>({ kind: "idle" });
  const isWorking = status.value.kind === "working";
  const owner = account.value;
  const rule = toRule(draft, target);
  const url = receiverUrl(receiver);
  const run = async (text: string, work: () => Promise<void>) => {
    status.value = { kind: "working", text };
    try {
      await work();
      status.value = { kind: "idle" };
    } catch (error) {
      status.value = { kind: "failed", text: explain(error) };
    }
  };
  const submit = () => {
    if (isWorking || owner === undefined || rule === undefined || url === undefined) return;
    void run(t.alerts.signing, async () => onCreated(await createAlert(owner, chain, { url, rule })));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <RuleFields draft={draft} target={target} isDisabled={isWorking} onChange={setDraft} />
      <ReceiverField id="alert-receiver" value={receiver} isDisabled={isWorking} onInput={setReceiver} />
      {owner === undefined ? (
        <WalletButton primary />
      ) : walletChain.value !== chain ? (
        <button
          type="button"
          class="button is-primary is-wide"
          onClick={() => void run(t.alerts.switching, () => switchChain(chain))}
        >
          {t.common.switchWallet(chainName(chain))}
        </button>
      ) : (
        <button
          type="submit"
          class="button is-primary is-wide"
          disabled={isWorking || rule === undefined || url === undefined}
        >
          {t.alerts.sign}
        </button>
      )}
      <p class="field-hint">{t.alerts.signNote}</p>
      <StatusLine status={status.value} chain={chain} />
      <div class="alert-buttons">
        <AllAlerts onClick={onCancel} />
        <button type="button" class="button" disabled={isWorking} onClick={onCancel}>
          {t.common.cancel}
        </button>
      </div>
    </form>
  );
}

/** What became of it: whether the receiver has proved itself, and the secret. */
function Outcome({ created: { secret, verification }, onClose }: { created: Created; onClose: () => void }) {
  return (
    <>
      {verification.verified ? (
        <p role="status">
          <Icon name="check" /> {t.alerts.isVerified}
        </p>
      ) : (
        <p role="status" class="alert-warning">
          {t.alerts.isUnverified(failureText(verification))}
        </p>
      )}
      {secret !== null && <Secret secret={secret} />}
      <div class="alert-buttons">
        <AllAlerts onClick={onClose} />
        <button type="button" class="button is-primary" onClick={onClose}>
          {t.common.close}
        </button>
      </div>
    </>
  );
}

const AllAlerts = ({ onClick }: { onClick: () => void }) => (
  <a href={withChain("/alerts")} onClick={onClick}>
    {t.alerts.yours}
  </a>
);
