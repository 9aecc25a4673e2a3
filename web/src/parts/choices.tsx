import { Icon, type IconName } from "./icons.tsx";

export type ChoicesProps<Value extends string> = {
  /** What is chosen, for screen readers. */
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string; icon?: IconName }[];
  onChange: (value: Value) => void;
};

/** One of a few, side by side. Arrow keys move between them, as between radio buttons, which they are. */
export function Choices<Value extends string>({ label, value, choices, onChange }: ChoicesProps<Value>) {
  return (
    <fieldset class="choices">
      <legend class="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} class="choice" title={choice.icon && choice.label}>
          <input
            type="radio"
            name={label}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.icon === undefined ? (
            <span>{choice.label}</span>
          ) : (
            <span>
              <Icon name={choice.icon} />
              <span class="visually-hidden">{choice.label}</span>
            </span>
          )}
        </label>
      ))}
    </fieldset>
  );
}
