import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../language/messages.ts";
import { Icon } from "./icons.tsx";
import "./image-field.css";

/** The size limit of the service. */
const maxBytes = 5 * 1_024 * 1_024;
const types = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

export type ImageFieldProps = {
  image: File | undefined;
  /** The image of before, which a new one replaces. */
  current?: ComponentChildren;
  onChange: (image: File | undefined) => void;
};

/** The token's image, chosen or dropped, with a preview. */
export function ImageField({ image, current, onChange }: ImageFieldProps) {
  const [preview, setPreview] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (image === undefined) return setPreview(undefined);
    const url = URL.createObjectURL(image);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [image]);
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    const wrong = !types.includes(file.type)
      ? t.registration.imageTypes
      : file.size > maxBytes
        ? t.registration.imageTooLarge
        : undefined;
    setProblem(wrong);
    onChange(wrong === undefined ? file : undefined);
  };
  return (
    <div class="image-field">
      <label
        class="image-drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer?.files[0]);
        }}
      >
        {preview === undefined ? (
          <span>
            {current || <Icon name="image" />}
            {t.registration.image}
          </span>
        ) : (
          <img
            src={preview}
            alt={t.registration.imageAlt}
            onError={() => {
              setProblem(t.registration.imageBroken);
              onChange(undefined);
            }}
          />
        )}
        <input
          type="file"
          class="visually-hidden"
          accept={types.join(",")}
          aria-label={t.registration.imageLabel}
          onChange={(event) => {
            take(event.currentTarget.files?.[0]);
            // So that a file can be chosen again once it has been made smaller.
            event.currentTarget.value = "";
          }}
        />
      </label>
      {problem !== undefined && (
        <span class="field-hint down" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
