import { textAt } from '@fairlead/apimachinery/json-at';
import { useState } from 'react';
import { useMay } from '../../api/me.ts';
import { Age } from '../../design/age.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { Empty } from '../../design/empty.tsx';
import { Icon } from '../../design/icon.tsx';
import { Page } from '../../design/page.tsx';
import { QueryView } from '../../design/query-view.tsx';
import { Status } from '../../design/status.tsx';
import { t } from '../../messages/index.ts';
import { RemoveDialog } from '../remove-dialog.tsx';
import { RowActions } from '../row-actions.tsx';
import { useList } from '../use-list.ts';
import { AddRepository } from './add-repository.tsx';

export function RepositoriesPage() {
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<string>();
  const may = useMay();
  return (
    <Page
      title={t.repositories.title}
      actions={
        may('repositories', 'create') && (
          <button type="button" className="button primary" onClick={() => setIsAdding(true)}>
            <Icon name="plus" size={14} />
            {t.repositories.add}
          </button>
        )
      }
    >
      <QueryView query={useList('repositories')}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon="repository" title={t.repositories.empty}>
              <p>{t.repositories.emptyHint}</p>
            </Empty>
          ) : (
            <DataTable
              label={t.repositories.title}
              items={items}
              keyOf={(repository) => `${textAt(repository, 'repo')} ${textAt(repository, 'project')}`}
              columns={[
                { title: t.repositories.url, cell: (repository) => <strong>{textAt(repository, 'repo')}</strong> },
                { title: t.repositories.type, cell: (repository) => textAt(repository, 'type') || 'git' },
                { title: t.repositories.project, cell: (repository) => textAt(repository, 'project') || '–' },
                {
                  title: t.repositories.state,
                  cell: (repository) => (
                    <Status
                      status={textAt(repository, 'connectionState', 'status') || 'Unknown'}
                      text={
                        textAt(repository, 'connectionState', 'message') ||
                        textAt(repository, 'connectionState', 'status')
                      }
                    />
                  ),
                },
                {
                  title: t.repositories.checked,
                  cell: (repository) => (
                    <Age time={textAt(repository, 'connectionState', 'attemptedAt') || undefined} />
                  ),
                },
                ...(may('repositories', 'delete')
                  ? [
                      {
                        title: t.actions,
                        cell: (repository: unknown) => (
                          <RowActions
                            name={textAt(repository, 'repo')}
                            onRemove={() => setRemoved(textAt(repository, 'repo'))}
                          />
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </QueryView>
      {isAdding && <AddRepository onClose={() => setIsAdding(false)} />}
      {removed !== undefined && (
        <RemoveDialog
          list="repositories"
          name={removed}
          text={t.repositories.removeText}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Page>
  );
}
