import { textAt } from '@fairlead/apimachinery/json-at';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../api/argocd.ts';
import { useMay } from '../api/me.ts';
import { Age } from '../design/age.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Empty } from '../design/empty.tsx';
import { Icon } from '../design/icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Page } from '../design/page.tsx';
import { Problem } from '../design/problem.tsx';
import { QueryView } from '../design/query-view.tsx';
import { Status } from '../design/status.tsx';
import { showToast } from '../design/toasts.tsx';
import { t } from '../messages/index.ts';
import { AddRepository } from './add-repository.tsx';
import { useList } from './use-list.ts';

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
                        title: t.repositories.remove,
                        cell: (repository: unknown) => (
                          <IconButton
                            icon="trash"
                            label={`${t.repositories.remove} ${textAt(repository, 'repo')}`}
                            onClick={() => setRemoved(textAt(repository, 'repo'))}
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
      {removed !== undefined && <RemoveRepository url={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  );
}

function RemoveRepository({ url, onClose }: { readonly url: string; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => send('DELETE', `repositories/${encodeURIComponent(url)}`),
    onSuccess: () => {
      showToast(t.repositories.removed);
      void queries.invalidateQueries({ queryKey: ['list', 'repositories'] });
      onClose();
    },
  });
  return (
    <Dialog
      title={t.repositories.removeTitle(url)}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="button" className="button danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {t.repositories.remove}
          </button>
        </>
      }
    >
      <p>{t.repositories.removeText}</p>
      {remove.error && <Problem error={remove.error} />}
    </Dialog>
  );
}
