import { appearanceOf } from './status-shapes.tsx';

/** Numbers by status as a bar, and as text for everybody. */
export function StatusBar({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const entries = Object.entries(counts).filter(([, number]) => number > 0);
  return (
    <div className="status-bar">
      <div className="summary-parts" aria-hidden="true">
        {entries.map(([status, number]) => (
          <span
            key={status}
            className={`summary-part tone-${appearanceOf(status).tone}`}
            style={{ flexGrow: number }}
          />
        ))}
      </div>
      <span className="small">{entries.map(([status, number]) => `${number} ${status}`).join(', ') || '–'}</span>
    </div>
  );
}
