import type { Facets as FacetCounts } from '@fairlead/client';
import { t } from '../messages/index.ts';
import { FacetGroup } from './facet-group.tsx';
import { type FilterName, type FleetSearch, toggled } from './search.ts';

interface FacetsProps {
  readonly facets: FacetCounts | undefined;
  readonly search: FleetSearch;
  readonly onChange: (search: FleetSearch) => void;
}

const names = ['project', 'cluster', 'tenant', 'namespace', 'autoSync', 'operation'] as const;

/** Filters with the number of Applications that each leaves. */
export function Facets({ facets, search, onChange }: FacetsProps) {
  const group = (name: FilterName, counts: Readonly<Record<string, number>>, title: string, prefix = '') => (
    <FacetGroup
      key={title}
      name={name}
      title={title}
      counts={counts}
      prefix={prefix}
      chosen={search[name] ?? []}
      onToggle={(value) => onChange(toggled(search, name, value))}
    />
  );
  return (
    <aside className="facets" aria-label={t.fleet.filters}>
      {names.map((name) => group(name, facets?.[name] ?? {}, t.fleet.facet[name]))}
      {Object.entries(facets?.labels ?? {})
        .filter(([, values]) => !isIdentity(values))
        .slice(0, 8)
        .map(([key, values]) => group('label', values, `${t.fleet.facet.label}: ${key}`, `${key}=`))}
    </aside>
  );
}

/** A label with another value on each Application says which one it is: it does not group them. */
const isIdentity = (values: Readonly<Record<string, number>>): boolean => {
  const counts = Object.values(values);
  return counts.length > 2 && counts.every((number) => number === 1);
};
