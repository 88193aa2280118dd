import type { Facets } from '@fairlead/client';
import { Status } from '../design/status.tsx';
import { appearanceOf } from '../design/status-shapes.tsx';
import { t } from '../messages/index.ts';
import { type FleetSearch, toggled } from './search.ts';

interface FleetSummaryProps {
  readonly facets: Facets | undefined;
  readonly search: FleetSearch;
  readonly onChange: (search: FleetSearch) => void;
}

const healthOrder = ['Degraded', 'Missing', 'Progressing', 'Unknown', 'Suspended', 'Healthy'];
const syncOrder = ['OutOfSync', 'Unknown', 'Synced'];

/** Two bars: how many Applications are in which state. Each part is a filter. */
export function FleetSummary({ facets, search, onChange }: FleetSummaryProps) {
  return (
    <div className="fleet-summary">
      <Bar name="health" order={healthOrder} counts={facets?.health ?? {}} search={search} onChange={onChange} />
      <Bar name="sync" order={syncOrder} counts={facets?.sync ?? {}} search={search} onChange={onChange} />
    </div>
  );
}

interface BarProps {
  readonly name: 'health' | 'sync';
  readonly order: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly search: FleetSearch;
  readonly onChange: (search: FleetSearch) => void;
}

function Bar({ name, order, counts, search, onChange }: BarProps) {
  const shown = order.filter((status) => (counts[status] ?? 0) > 0);
  return (
    <section className="summary-bar card" aria-label={t.fleet.facet[name]}>
      <h2>{t.fleet.facet[name]}</h2>
      <div className="summary-parts" aria-hidden="true">
        {shown.map((status) => (
          <span
            key={status}
            className={`summary-part tone-${appearanceOf(status).tone}`}
            style={{ flexGrow: counts[status] ?? 0 }}
          />
        ))}
      </div>
      <div className="summary-counts">
        {shown.map((status) => (
          <button
            key={status}
            type="button"
            className="summary-count"
            aria-pressed={search[name]?.includes(status) ?? false}
            onClick={() => onChange(toggled(search, name, status))}
          >
            <Status status={status} />
            <strong>{(counts[status] ?? 0).toLocaleString('en')}</strong>
          </button>
        ))}
      </div>
    </section>
  );
}
