import { useId } from 'react';

interface LinesFieldProps {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (lines: readonly string[]) => void;
  readonly hint?: string;
  readonly rows?: number;
  readonly placeholder?: string;
}

/** Several values, one on each line. */
export function LinesField({ label, value, onChange, hint, rows = 3, placeholder }: LinesFieldProps) {
  const id = useId();
  return (
    <label className="field">
      <span>{label}</span>
      <textarea
        className="textarea"
        rows={rows}
        placeholder={placeholder}
        aria-describedby={hint === undefined ? undefined : id}
        value={value.join('\n')}
        onChange={(event) => onChange(event.target.value.split('\n'))}
      />
      {hint !== undefined && (
        <small id={id} className="muted">
          {hint}
        </small>
      )}
    </label>
  );
}

/** Without empty lines and spaces around. */
export const filled = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== '');
