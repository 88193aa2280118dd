import { Icon } from '../design/icon.tsx';
import { t } from '../messages/index.ts';
import { valueText } from './facet-group.tsx';
import { type FleetSearch, filterNames, hasFilters, toggled, withoutFilters } from './search.ts';

interface FilterChipsProps {
  readonly search: FleetSearch;
  readonly onChange: (search: FleetSearch) => void;
}

/** The filters that are set, each with a button that removes it. */
export function FilterChips({ search, onChange }: FilterChipsProps) {
  if (!hasFilters(search)) return null;
  return (
    <ul className="chips" aria-label={t.fleet.filters}>
      {filterNames.flatMap((name) =>
        (search[name] ?? []).map((value) => {
          const text = `${t.fleet.facet[name]}: ${valueText(name, value)}`;
          return (
            <li key={text}>
              <button
                type="button"
                className="chip"
                aria-label={t.fleet.remove(text)}
                onClick={() => onChange(toggled(search, name, value))}
              >
                {text}
                <Icon name="close" size={10} />
              </button>
            </li>
          );
        }),
      )}
      <li>
        <button type="button" className="button quiet small" onClick={() => onChange(withoutFilters(search))}>
          {t.fleet.clear}
        </button>
      </li>
    </ul>
  );
}
