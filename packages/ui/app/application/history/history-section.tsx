import { textAt } from '@fairlead/apimachinery/json-at';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApplicationDetail, HistoryEntry } from '../../api/read-application.ts';
import { Age } from '../../design/age.tsx';
import { Empty } from '../../design/empty.tsx';
import { Icon } from '../../design/icon.tsx';
import { ageText } from '../../lib/age.ts';
import { shortRevision } from '../../lib/revision.ts';
import { t } from '../../messages/index.ts';
import type { SectionProps } from '../application-page.tsx';
import { revisionQuery } from '../queries.ts';
import { CompareDialog } from './compare-dialog.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';

/** What was deployed, with the commits. */
export default function HistorySection({ app, rights, search, onChange }: SectionProps) {
  const [chosen, setChosen] = useState<HistoryEntry>();
  const older = (place: number): HistoryEntry | undefined => app.history[place + 1];
  if (app.history.length === 0) return <Empty icon="commit" title={t.history.empty} />;
  return (
    <>
      <ol className="history">
        {app.history.map((entry, place) => (
          <Entry
            key={entry.id}
            app={app}
            entry={entry}
            isCurrent={place === 0}
            {...(older(place) ? { onCompare: () => onChange({ compare: `${older(place)?.id}..${entry.id}` }) } : {})}
            {...(rights.sync && place > 0 ? { onRollback: () => setChosen(entry) } : {})}
          />
        ))}
      </ol>
      {search.compare !== undefined && (
        <CompareDialog app={app} compare={search.compare} onChange={(compare) => onChange({ compare })} />
      )}
      {chosen && <RollbackDialog app={app} entry={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

interface EntryProps {
  readonly app: ApplicationDetail;
  readonly entry: HistoryEntry;
  readonly isCurrent: boolean;
  /** Undefined for the first deployment. */
  readonly onCompare?: () => void;
  readonly onRollback?: () => void;
}

function Entry({ app, entry, isCurrent, onCompare, onRollback }: EntryProps) {
  const { data } = useQuery(revisionQuery(app, entry.revision, entry.id));
  const message = textAt(data, 'message');
  const author = textAt(data, 'author');
  const seconds = (Date.parse(entry.deployedAt) - Date.parse(entry.deployStartedAt)) / 1_000;
  return (
    <li className={`history-entry${isCurrent ? ' current' : ''}`}>
      <span className="history-dot" aria-hidden="true">
        <Icon name="commit" size={16} />
      </span>
      <article className="card padded">
        <div className="row">
          <strong className="history-message">{message.split('\n')[0] || t.history.id(entry.id)}</strong>
          {isCurrent && <span className="pill">{t.history.current}</span>}
          <span className="spread" />
          {onCompare && (
            <button type="button" className="button" onClick={onCompare}>
              <Icon name="compare" size={14} />
              {t.history.compare}
            </button>
          )}
          {onRollback && (
            <button type="button" className="button" onClick={onRollback}>
              {t.history.rollback}
            </button>
          )}
        </div>
        <p className="row small muted history-facts">
          <span className="mono" title={entry.revision}>
            {shortRevision(entry.revision)}
          </span>
          {author !== '' && <span>{author.replace(/ <.*>$/u, '')}</span>}
          <span>
            {t.history.deployed} <Age time={entry.deployedAt} />
          </span>
          {seconds >= 0 && <span>{t.history.took(ageText(seconds))}</span>}
          {entry.initiatedBy !== '' && <span>{t.history.by(entry.initiatedBy)}</span>}
          <span>{t.history.id(entry.id)}</span>
        </p>
      </article>
    </li>
  );
}
