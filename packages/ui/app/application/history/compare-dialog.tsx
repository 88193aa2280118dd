import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import type { ApplicationDetail, HistoryEntry } from '../../api/read-application.ts';
import { Dialog } from '../../design/dialog.tsx';
import { Loading } from '../../design/loading.tsx';
import { Problem } from '../../design/problem.tsx';
import { shortRevision } from '../../lib/revision.ts';
import { t } from '../../messages/index.ts';
import { KindBadge } from '../tree/kind-badge.tsx';
import { compareManifests, type ManifestChange } from './compare-model.ts';
import { manifestsQuery } from './manifests-query.ts';

const CodeDiff = lazy(() => import('../code/code-diff.tsx'));

interface CompareDialogProps {
  readonly app: ApplicationDetail;
  /** `ID..ID`. */
  readonly compare: string;
  readonly onChange: (compare: string | undefined) => void;
}

/** What two deployments of the history render to, object by object. */
export function CompareDialog({ app, compare, onChange }: CompareDialogProps) {
  const [fromId, toId] = compare.split('..').map(Number);
  const [from, to] = [fromId, toId].map((id) => app.history.find((entry) => entry.id === id));
  return (
    <Dialog wide title={t.history.compareTitle} onClose={() => onChange(undefined)}>
      <div className="compare-ends">
        <EntrySelect app={app} label={t.history.from} value={fromId} onChange={(id) => onChange(`${id}..${toId}`)} />
        <EntrySelect app={app} label={t.history.to} value={toId} onChange={(id) => onChange(`${fromId}..${id}`)} />
      </div>
      {from && to && <Changes app={app} from={from} to={to} />}
    </Dialog>
  );
}

interface EntrySelectProps {
  readonly app: ApplicationDetail;
  readonly label: string;
  readonly value: number | undefined;
  readonly onChange: (id: string) => void;
}

const EntrySelect = ({ app, label, value, onChange }: EntrySelectProps) => (
  <label className="field">
    <span>{label}</span>
    <select className="select" value={value} onChange={(event) => onChange(event.target.value)}>
      {app.history.map(({ id, revision }) => (
        <option key={id} value={id}>
          {t.history.option(id, shortRevision(revision))}
        </option>
      ))}
    </select>
  </label>
);

interface ChangesProps {
  readonly app: ApplicationDetail;
  readonly from: HistoryEntry;
  readonly to: HistoryEntry;
}

function Changes({ app, from, to }: ChangesProps) {
  const [before, after] = [useQuery(manifestsQuery(app, from)), useQuery(manifestsQuery(app, to))];
  const changes = useMemo(
    () => before.data && after.data && compareManifests(before.data, after.data),
    [before.data, after.data],
  );
  const error = before.error ?? after.error;
  if (error) return <Problem error={error} />;
  if (!changes) return <Loading lines={8} />;
  if (changes.length === 0) return <p className="muted">{t.history.same}</p>;
  const count = (change: ManifestChange['change']): number => changes.filter((one) => one.change === change).length;
  return (
    <>
      <p className="muted small" role="status">
        {t.history.counts(count('added'), count('changed'), count('removed'))}
      </p>
      {changes.some(({ kind }) => kind === 'Secret') && <p className="note">{t.history.secrets}</p>}
      {changes.map((change) => (
        <details key={change.id} className="card change" open={changes.length <= 5}>
          <summary>
            <KindBadge kind={change.kind} />
            <strong className="truncate">{change.name}</strong>
            <span className="muted small">{[change.kind, change.namespace].filter(Boolean).join(' · ')}</span>
            <span className="spread" />
            <span className={`pill change-${change.change}`}>{t.history[change.change]}</span>
          </summary>
          <Suspense fallback={<Loading />}>
            <CodeDiff live={change.from} target={change.to} inline />
          </Suspense>
        </details>
      ))}
    </>
  );
}
