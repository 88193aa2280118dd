import type { ResourceDifference } from '@fairlead/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resourceId } from '../../api/read-tree.ts';
import { Check } from '../../design/check.tsx';
import { Empty } from '../../design/empty.tsx';
import { Loading } from '../../design/loading.tsx';
import { Problem } from '../../design/problem.tsx';
import { Segments } from '../../design/segments.tsx';
import { Status } from '../../design/status.tsx';
import { shortRevision } from '../../lib/revision.ts';
import { t } from '../../messages/index.ts';
import type { SectionProps } from '../application-page.tsx';
import { diffQuery } from '../queries.ts';
import ResourceDiff from './resource-diff.tsx';
import './diff.css';

const differs = ({ status, fields }: ResourceDifference): boolean =>
  status !== 'Synced' || fields.some(({ ignoredBy }) => ignoredBy !== undefined);

/** How the live state differs from the source: objects on the left, the chosen one on the right. */
export default function DiffSection({ app, search, onChange }: SectionProps) {
  const { data, error, refetch } = useQuery(diffQuery(app));
  const [showsAll, setShowsAll] = useState(false);
  const [chosen, setChosen] = useState<string>();
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const shown = showsAll ? data.resources : data.resources.filter(differs);
  const current = shown.find((resource) => resourceId(resource) === chosen) ?? shown[0];
  return (
    <div className="stack">
      <div className="row diff-tools">
        <span className="muted small">
          {t.diff.differing(data.resources.filter(({ status }) => status !== 'Synced').length)} ·{' '}
          <span className="mono">{shortRevision(data.revision)}</span>
        </span>
        <span className="spread" />
        <Check checked={showsAll} onChange={setShowsAll}>
          {t.diff.all}
        </Check>
        <Segments
          label={t.app.diff}
          value={search.diff ?? 'fields'}
          options={[
            { value: 'fields', label: t.diff.fields },
            { value: 'split', label: t.diff.sideBySide },
            { value: 'inline', label: t.diff.inline },
          ]}
          onChange={(value) => onChange({ diff: value === 'fields' ? undefined : value })}
        />
      </div>
      {!current && (
        <Empty icon="check" title={t.diff.none}>
          <p>{t.diff.noneHint}</p>
        </Empty>
      )}
      {current && (
        <div className="diff-body">
          <nav className="diff-objects card" aria-label={t.diff.objects}>
            {shown.map((resource) => (
              <button
                key={resourceId(resource)}
                type="button"
                className="diff-object"
                aria-current={resource === current ? 'true' : undefined}
                onClick={() => setChosen(resourceId(resource))}
              >
                <span className="truncate">
                  {resource.kind} <strong>{resource.name}</strong>
                </span>
                <Status iconOnly status={resource.status} />
              </button>
            ))}
          </nav>
          <section className="diff-content" aria-label={`${current.kind} ${current.name}`}>
            <ResourceDiff resource={current} mode={search.diff} />
          </section>
        </div>
      )}
    </div>
  );
}
