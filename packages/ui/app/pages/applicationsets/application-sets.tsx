import { type JsonObject, textAt } from '@fairlead/apimachinery/json-at';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/me.ts';
import { Empty } from '../../design/empty.tsx';
import { Icon } from '../../design/icon.tsx';
import { Page } from '../../design/page.tsx';
import { QueryView } from '../../design/query-view.tsx';
import { Status } from '../../design/status.tsx';
import { t } from '../../messages/index.ts';
import { RemoveDialog } from '../remove-dialog.tsx';
import { RowActions } from '../row-actions.tsx';
import { useList } from '../use-list.ts';
import { SetEditor } from './set-editor.tsx';
import { applicationsOf, generatorsOf, problemOf, setKey } from './set-model.ts';
import './sets.css';

/** ApplicationSets: what generates, and the Applications that come of it. */
export function ApplicationSetsPage() {
  const query = useList('applicationsets');
  const may = useMay();
  const [edited, setEdited] = useState<JsonObject | 'new'>();
  const [removed, setRemoved] = useState<JsonObject>();
  const nameOf = (set: JsonObject): string => textAt(set, 'metadata', 'name');
  return (
    <Page
      title={t.sets.title}
      actions={
        may('applicationsets', 'create') && (
          <button type="button" className="button primary" onClick={() => setEdited('new')}>
            <Icon name="plus" size={14} />
            {t.sets.add}
          </button>
        )
      }
    >
      <QueryView query={query}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon="sets" title={t.sets.empty}>
              <p>{t.sets.emptyHint}</p>
            </Empty>
          ) : (
            <ul className="stack">
              {items.map((set) => (
                <SetCard
                  key={setKey(set)}
                  set={set}
                  onEdit={may('applicationsets', 'update') ? () => setEdited(set) : undefined}
                  onRemove={may('applicationsets', 'delete') ? () => setRemoved(set) : undefined}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      {edited && <SetEditor set={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {removed && (
        <RemoveDialog
          list="applicationsets"
          name={nameOf(removed)}
          text={t.sets.removeText}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Page>
  );
}

interface SetCardProps {
  readonly set: JsonObject;
  readonly onEdit: (() => void) | undefined;
  readonly onRemove: (() => void) | undefined;
}

function SetCard({ set, onEdit, onRemove }: SetCardProps) {
  const name = textAt(set, 'metadata', 'name');
  const problem = problemOf(set);
  const applications = applicationsOf(set);
  return (
    <li className="card padded stack">
      <div className="row">
        <h2>{name}</h2>
        <Status
          status={problem === undefined ? 'Healthy' : 'Degraded'}
          text={problem === undefined ? t.sets.ok : t.sets.failed}
        />
        <span className="spread" />
        <RowActions name={name} onEdit={onEdit} onRemove={onRemove} />
      </div>
      {problem !== undefined && <p className="note">{problem}</p>}
      <div className="set-flow">
        <ul className="set-generators" aria-label={t.sets.generators}>
          {generatorsOf(set).map((generator) => (
            <li key={generator} className="pill">
              {generator}
            </li>
          ))}
        </ul>
        <Icon name="chevron" />
        <ul className="set-applications" aria-label={t.sets.applications}>
          {applications.length === 0 && <li className="muted small">{t.sets.noApplications}</li>}
          {applications.map((application) => (
            <li key={application.name}>
              <Link
                to="/applications/$namespace/$name"
                params={{
                  namespace: application.namespace || textAt(set, 'metadata', 'namespace'),
                  name: application.name,
                }}
                search={{}}
                className="set-application card"
              >
                <Status iconOnly status={application.health} />
                <Status iconOnly status={application.sync} />
                <span className="truncate">{application.name}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}
