import { useState } from 'react';
import { t } from '../messages/index.ts';
import type { FilterName } from './search.ts';

interface FacetGroupProps {
  readonly name: FilterName;
  readonly title: string;
  readonly counts: Readonly<Record<string, number>>;
  /** Before a value in the filter: `KEY=` of labels. */
  readonly prefix: string;
  readonly chosen: readonly string[];
  readonly onToggle: (value: string) => void;
}

const shownAtFirst = 6;

export function FacetGroup({ name, title, counts, prefix, chosen, onToggle }: FacetGroupProps) {
  const [showsAll, setShowsAll] = useState(false);
  const values = Object.entries(counts).sort(([a, m], [b, n]) => n - m || a.localeCompare(b, 'en', { numeric: true }));
  const shown = showsAll ? values : values.slice(0, shownAtFirst);
  if (values.length === 0) return null;
  return (
    <fieldset className="facet">
      <legend>{title}</legend>
      {shown.map(([value, count]) => (
        <label key={value} className="facet-value">
          <input type="checkbox" checked={chosen.includes(prefix + value)} onChange={() => onToggle(prefix + value)} />
          <span className="truncate" title={value}>
            {valueText(name, value)}
          </span>
          <span className="muted">{count.toLocaleString('en')}</span>
        </label>
      ))}
      {values.length > shownAtFirst && (
        <button type="button" className="button quiet small" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t.fleet.less : t.fleet.more(values.length - shownAtFirst)}
        </button>
      )}
    </fieldset>
  );
}

export function valueText(name: FilterName, value: string): string {
  if (name === 'autoSync') return value === 'true' ? t.fleet.autoSync.true : t.fleet.autoSync.false;
  return value === '' ? t.fleet.noValue : value;
}
