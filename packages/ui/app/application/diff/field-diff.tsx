import type { FieldDifference, ResourceDifference } from '@fairlead/client';
import { Age } from '../../design/age.tsx';
import { t } from '../../messages/index.ts';

/** Each field that differs, with its owner, and the rule that ignores it. */
export const FieldDiff = ({ resource }: { readonly resource: ResourceDifference }) => (
  <div className="stack">
    {resource.truncated && <p className="note">{t.diff.truncated}</p>}
    <ul className="fields">
      {resource.fields.map((field) => (
        <Field key={field.path} field={field} />
      ))}
    </ul>
  </div>
);

function Field({ field }: { readonly field: FieldDifference }) {
  const { path, live, target, owner, ownedSince, ignoredBy } = field;
  return (
    <li className={`diff-field card${ignoredBy === undefined ? '' : ' ignored'}`} id={path}>
      <header className="row">
        <code className="field-path">{path}</code>
        <span className="spread" />
        {ignoredBy !== undefined && <span className="pill">{t.diff.ignored(ignoredBy)}</span>}
        {owner !== undefined && (
          <span className="muted small">
            {t.diff.owner}: <strong>{owner}</strong> {ownedSince !== undefined && <Age time={ownedSince} />}
          </span>
        )}
      </header>
      <div className="field-values">
        <Value label={t.diff.live} sign="−" text={live} />
        <Value label={t.diff.target} sign="+" text={target} />
      </div>
    </li>
  );
}

interface ValueProps {
  readonly label: string;
  readonly sign: '+' | '−';
  readonly text: string | undefined;
}

const Value = ({ label, sign, text }: ValueProps) => (
  <div className={`field-value ${sign === '+' ? 'added' : 'removed'}`}>
    <span className="field-label">
      <span aria-hidden="true">{sign} </span>
      {label}
    </span>
    {text === undefined ? <em className="muted">{t.diff.notSet}</em> : <pre>{pretty(text)}</pre>}
  </div>
);

function pretty(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  } catch {
    // Shortened or masked by the server: shown as it is.
    return json;
  }
}
