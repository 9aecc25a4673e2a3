import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { BrowserForm } from "../browser-alerts/form.tsx";
import { NotificationState } from "../browser-alerts/notification.tsx";
import { t } from "../language/messages.ts";
import { Choices } from "../parts/choices.tsx";
import { Icon } from "../parts/icons.tsx";
import { withChain } from "../routing/router.ts";
import { hasAlerts } from "../shell/page-head.tsx";
import { account } from "../wallet/connection.ts";
import type { Status } from "../wallet/run-steps.ts";
import { StatusLine } from "../wallet/status-line.tsx";
import { WithWallet } from "../wallet/switch-chain.tsx";
import { withStatus } from "../wallet/with-status.ts";
import { ReceiverField, Secret } from "./receiver-field.tsx";
import { newDraft, RuleFields } from "./rule-fields.tsx";
import { occasionsOf, receiverUrl, type Target, toRule } from "./rules.ts";
import { createAlert, failureText } from "./subscriptions.ts";
import "./alerts.css";

export type AlertDialogProps = {
  target: Target;
  chain: 56 | 97;
  /** What it is about, as its page's heading has it. */
  name: string;
  onClose: () => void;
};

type Created = Awaited<ReturnType<typeof createAlert>>;

/** The dialog in which an alert is set: where it goes, what to wait for, and for a webhook one signature. */
export default function AlertDialog({ target, chain, name, onClose }: AlertDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [place, setPlace] = useState<"browser" | "webhook">("browser");
  const [outcome, setOutcome] = useState<ComponentChildren>();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    // A click beside it doesn't close it: what was typed, or the secret, would be lost.
    <dialog ref={dialog} class="dialog alert-dialog" aria-labelledby="alert-title" onClose={onClose}>
      <h2 id="alert-title">
        {outcome === undefined ? t.alerts.newAlert(<bdi>{name}</bdi>) : t.alerts.created}
      </h2>
      {outcome === undefined && hasAlerts && (
        <Choices
          label={t.alerts.place}
          value={place}
          choices={(["browser", "webhook"] as const).map((value) => ({
            value,
            label: t.alerts.places[value],
          }))}
          onChange={setPlace}
        />
      )}
      {outcome ??
        (place === "browser" ? (
          <BrowserForm
            target={target}
            name={name}
            onSet={() => setOutcome(<BrowserOutcome onClose={close} />)}
            onCancel={close}
          />
        ) : (
          <AlertForm
            target={target}
            chain={chain}
            onCreated={(created) => setOutcome(<Outcome created={created} onClose={close} />)}
            onCancel={close}
          />
        ))}
    </dialog>
  );
}

/** What becomes of an alert of this browser. */
const BrowserOutcome = ({ onClose }: { onClose: () => void }) => (
  <>
    <p role="status">
      <Icon name="check" /> {t.alerts.setNote}
    </p>
    <NotificationState />
    <div class="alert-buttons">
      <a href={withChain("/?board=watchlist")} onClick={onClose}>
        {t.alerts.inBrowser}
      </a>
      <button type="button" class="button is-primary" onClick={onClose}>
        {t.common.close}
      </button>
    </div>
  </>
);

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
  const submit = () => {
    if (isWorking || owner === undefined || rule === undefined || url === undefined) return;
    void withStatus(status, t.alerts.signing, async () =>
      onCreated(await createAlert(status, { owner, chainId: chain }, { url, rule })),
    );
  };
  return (
    <form onSubmit={submit}>
      <RuleFields
        draft={draft}
        target={target}
        occasions={occasionsOf(target)}
        isDisabled={isWorking}
        onChange={setDraft}
      />
      <ReceiverField id="alert-receiver" value={receiver} isDisabled={isWorking} onInput={setReceiver} />
      <WithWallet chain={chain} status={status}>
        <button
          type="submit"
          class="button is-primary is-wide"
          disabled={isWorking || rule === undefined || url === undefined}
        >
          {t.alerts.sign}
        </button>
      </WithWallet>
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
