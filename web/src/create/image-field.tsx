import { useEffect, useState } from "preact/hooks";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";

/** The size limit of the service. */
const maxBytes = 5 * 1_024 * 1_024;
const types = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

export type ImageFieldProps = { image: File | undefined; onChange: (image: File | undefined) => void };

/** The token's image, chosen or dropped, with a preview. */
export function ImageField({ image, onChange }: ImageFieldProps) {
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
      ? t.create.imageTypes
      : file.size > maxBytes
        ? t.create.imageTooLarge
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
            <Icon name="image" />
            {t.create.image}
          </span>
        ) : (
          <img
            src={preview}
            alt={t.create.imageAlt}
            onError={() => {
              setProblem(t.create.imageBroken);
              onChange(undefined);
            }}
          />
        )}
        <input
          type="file"
          class="visually-hidden"
          accept={types.join(",")}
          aria-label={t.create.imageLabel}
          onChange={(event) => take(event.currentTarget.files?.[0])}
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
