import type { Heatmap } from '@fairlead/client';
import { useQuery } from '@tanstack/react-query';
import { Loading } from '../design/loading.tsx';
import { Problem } from '../design/problem.tsx';
import { Segments } from '../design/segments.tsx';
import { Status } from '../design/status.tsx';
import { t } from '../messages/index.ts';
import { HeatmapGroup } from './heatmap-group.tsx';
import { heatmapQuery } from './queries.ts';
import { type FleetSearch, groupKeys } from './search.ts';

interface HeatmapViewProps {
  readonly search: FleetSearch;
  readonly onChange: (search: FleetSearch) => void;
}

/** One square per Application, by group, the worst first. */
export function HeatmapView({ search, onChange }: HeatmapViewProps) {
  const group = search.group ?? 'project';
  const { data, error, refetch } = useQuery(heatmapQuery(search, group));
  return (
    <div className="stack">
      <div className="row heatmap-tools">
        <span className="small muted">{t.fleet.group}</span>
        <Segments
          label={t.fleet.group}
          value={group}
          options={groupKeys.map((value) => ({ value, label: t.fleet.facet[value] }))}
          onChange={(value) => onChange({ ...search, group: value })}
        />
        <span className="spread" />
        <Legend />
      </div>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && <Groups heatmap={data} />}
    </div>
  );
}

const Legend = () => (
  <ul className="row legend" aria-label={t.fleet.legend}>
    {(['Healthy', 'Progressing', 'Degraded', 'Missing', 'Suspended', 'Unknown', 'OutOfSync'] as const).map((status) => (
      <li key={status}>
        <Status status={status} size={12} />
      </li>
    ))}
  </ul>
);

const Groups = ({ heatmap }: { readonly heatmap: Heatmap }) => (
  <div className="heatmap-groups">
    <p className="visually-hidden">{t.fleet.hidden}</p>
    {heatmap.groups.map((group) => (
      <HeatmapGroup key={group.name} group={group} legend={heatmap.legend} />
    ))}
  </div>
);
