import { Link } from '@tanstack/react-router';
import { useMay } from '../api/me.ts';
import { Empty } from '../design/empty.tsx';
import { t } from '../messages/index.ts';
import { type FleetSearch, hasFilters, withoutFilters } from './search.ts';

interface NoApplicationsProps {
  readonly search: FleetSearch;
  readonly onChange: (search: FleetSearch) => void;
}

export function NoApplications({ search, onChange }: NoApplicationsProps) {
  const may = useMay();
  if (hasFilters(search)) {
    return (
      <Empty icon="search" title={t.fleet.empty}>
        <p>{t.fleet.emptyHint}</p>
        <button type="button" className="button" onClick={() => onChange(withoutFilters(search))}>
          {t.fleet.clear}
        </button>
      </Empty>
    );
  }
  return (
    <Empty icon="apps" title={t.fleet.none}>
      <p>{t.fleet.noneHint}</p>
      {may('applications', 'create') && (
        <Link to="/new-application" className="button primary">
          {t.fleet.create}
        </Link>
      )}
    </Empty>
  );
}
