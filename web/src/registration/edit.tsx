import { useRef, useState } from "preact/hooks";
import { type LinkField, linkProblem, linkUrl, oneLine } from "../create/link-url.ts";
import { api, client, dataOf } from "../data/client.ts";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";
import { ImageField } from "../parts/image-field.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import type { TokenDetails } from "../token/data.ts";
import { explain } from "../wallet/explain.ts";
import { createStatus } from "../wallet/run-steps.ts";
import { nonEmpty, signRegistration } from "../wallet/sign-registration.ts";
import { StatusLine } from "../wallet/status-line.tsx";
import { WithWallet } from "../wallet/switch-chain.tsx";

export type EditProps = { token: TokenDetails; onSaved: () => void; onCancel: () => void };

const links: { name: LinkField; label: string }[] = [
  { name: "websiteUrl", label: t.common.website },
  { name: "twitterUrl", label: "X" },
  { name: "telegramUrl", label: "Telegram" },
];

/** The form with which a creator changes description, links and image. The wallet signs what is then registered. */
export default function Edit({ token, onSaved, onCancel }: EditProps) {
  const [status] = useState(createStatus);
  const [texts, setTexts] = useState({
    description: token.description ?? "",
    websiteUrl: token.websiteUrl ?? "",
    twitterUrl: token.twitterUrl ?? "",
    telegramUrl: token.telegramUrl ?? "",
  });
  const [image, setImage] = useState<File>();
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const problemOf = (name: LinkField) => (wasSubmitted ? linkProblem(name, texts[name]) : undefined);
  // Whoever rejects the signature doesn't upload the same image again.
  const uploaded = useRef<{ image: File; url: string }>(undefined);
  const upload = async (chosen: File) => {
    if (uploaded.current?.image !== chosen) {
      status.value = { kind: "working", text: t.registration.uploading };
      uploaded.current = { image: chosen, url: (await client.uploadImage(chosen, chosen.name)).url };
    }
    return uploaded.current.url;
  };
  const isWorking = status.value.kind === "working";
  const save = async () => {
    const { mint, name, symbol, creator, burnPercent } = token;
    const chainId = token.chainId as 56 | 97;
    try {
      const body = {
        mint,
        name,
        symbol,
        creator,
        burnPercent,
        chainId,
        ...nonEmpty({
          imageUrl: image === undefined ? token.imageUrl : await upload(image),
          description: oneLine(texts.description),
          ...Object.fromEntries(links.map((link) => [link.name, linkUrl(link.name, texts[link.name])])),
        }),
      };
      status.value = { kind: "working", text: t.registration.signing };
      const signed = await signRegistration(status, body, chainId, creator);
      status.value = { kind: "working", text: t.registration.registering };
      await dataOf(api.POST("/api/tokens", { body: { ...body, ...signed } }));
      onSaved();
    } catch (error) {
      status.value = { kind: "failed", text: explain(error) };
    }
  };
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        setWasSubmitted(true);
        const wrong = links.find(({ name }) => linkProblem(name, texts[name]) !== undefined);
        if (wrong !== undefined)
          event.currentTarget.querySelector<HTMLElement>(`#edit-${wrong.name}`)?.focus();
        else if (!isWorking) void save();
      }}
    >
      <ImageField
        image={image}
        current={token.imageUrl !== null && <TokenImage token={token} size={96} />}
        onChange={setImage}
      />
      <label class="field">
        <span>{t.registration.description}</span>
        <textarea
          rows={4}
          maxLength={1_000}
          value={texts.description}
          readOnly={isWorking}
          onInput={(event) =>
            setTexts({ ...texts, description: event.currentTarget.value.replaceAll("\n", " ") })
          }
        />
      </label>
      {links.map(({ name, label }) => (
        <div key={name} class="field">
          <label for={`edit-${name}`}>{label}</label>
          <input
            id={`edit-${name}`}
            type="text"
            maxLength={2_000}
            autocomplete="off"
            placeholder={t.registration.handlePlaceholder}
            value={texts[name]}
            readOnly={isWorking}
            aria-invalid={problemOf(name) !== undefined}
            aria-describedby={`edit-${name}-problem`}
            onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
          />
          <span id={`edit-${name}-problem`} class="field-hint down">
            {problemOf(name)}
          </span>
        </div>
      ))}
      <p class="field-hint">{t.token.editNote}</p>
      <WithWallet chain={token.chainId} status={status}>
        <button type="submit" class="button is-primary is-wide" disabled={isWorking}>
          {t.token.signAndSave}
        </button>
      </WithWallet>
      <button type="button" class="button is-wide" disabled={isWorking} onClick={onCancel}>
        <Icon name="close" /> {t.common.cancel}
      </button>
      <StatusLine status={status.value} chain={token.chainId} />
    </form>
  );
}
