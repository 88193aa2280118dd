import { Icon } from '../design/icon.tsx';
import { t } from '../messages/index.ts';
import type { FleetSearch, SortKey } from './search.ts';
import { emptySelection, type Selection } from './selection.ts';

interface FleetTableHeadProps {
  readonly search: FleetSearch;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onChange: (search: FleetSearch) => void;
}

const columns: readonly { readonly key: keyof typeof t.fleet.column; readonly sort?: SortKey }[] = [
  { key: 'name', sort: 'name' },
  { key: 'health', sort: 'health' },
  { key: 'sync', sort: 'sync' },
  { key: 'project', sort: 'project' },
  { key: 'cluster', sort: 'cluster' },
  { key: 'revision' },
  { key: 'operation', sort: 'operation' },
  { key: 'reconciledAt', sort: 'reconciledAt' },
];

export function FleetTableHead({ search, selection, onSelect, onChange }: FleetTableHeadProps) {
  const current = search.sort ?? 'name';
  return (
    <div className="fleet-head" role="rowgroup">
      <div className="fleet-row head" role="row" aria-rowindex={1}>
        <span className="cell check-cell" role="columnheader">
          <input
            type="checkbox"
            aria-label={t.fleet.selectAll}
            checked={selection.kind === 'all'}
            onChange={(event) => onSelect(event.target.checked ? { kind: 'all' } : emptySelection)}
          />
        </span>
        {columns.map(({ key, sort }) => (
          <span key={key} className={`cell ${key}`} role="columnheader" aria-sort={sortOf(sort, current)}>
            {sort ? (
              <button
                type="button"
                className="sort-button"
                onClick={() => onChange({ ...search, sort: next(sort, current) })}
              >
                {t.fleet.column[key]}
                {(current === sort || current === `-${sort}`) && (
                  <span className={current === sort ? 'sort-up' : undefined}>
                    <Icon name="down" size={10} />
                  </span>
                )}
              </button>
            ) : (
              t.fleet.column[key]
            )}
          </span>
        ))}
      </div>
    </div>
  );
}

const reversed: Readonly<Record<string, SortKey>> = {
  name: '-name',
  health: '-health',
  sync: '-sync',
  project: '-project',
  cluster: '-cluster',
  operation: '-operation',
  reconciledAt: '-reconciledAt',
  createdAt: '-createdAt',
};

const next = (sort: SortKey, current: SortKey): SortKey => (current === sort ? (reversed[sort] ?? sort) : sort);

function sortOf(sort: SortKey | undefined, current: SortKey): 'ascending' | 'descending' | undefined {
  if (sort === undefined) return undefined;
  if (current === sort) return 'ascending';
  return current === reversed[sort] ? 'descending' : undefined;
}
