import { type JsonObject, listAt, objectsAt, textAt } from '@fairlead/apimachinery/json-at';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/me.ts';
import { textsAt } from '../../api/read-application.ts';
import { DataTable } from '../../design/data-table.tsx';
import { Empty } from '../../design/empty.tsx';
import { Icon } from '../../design/icon.tsx';
import { Page } from '../../design/page.tsx';
import { QueryView } from '../../design/query-view.tsx';
import { t } from '../../messages/index.ts';
import { RemoveDialog } from '../remove-dialog.tsx';
import { RowActions } from '../row-actions.tsx';
import { useList } from '../use-list.ts';
import { ProjectForm } from './project-form.tsx';

export function ProjectsPage() {
  const may = useMay();
  const [edited, setEdited] = useState<JsonObject | 'new'>();
  const [removed, setRemoved] = useState<string>();
  const [mayUpdate, mayDelete] = [may('projects', 'update'), may('projects', 'delete')];
  return (
    <Page
      title={t.projects.title}
      actions={
        may('projects', 'create') && (
          <button type="button" className="button primary" onClick={() => setEdited('new')}>
            <Icon name="plus" size={14} />
            {t.projects.add}
          </button>
        )
      }
    >
      <QueryView query={useList('projects')}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon="project" title={t.projects.empty} />
          ) : (
            <DataTable
              label={t.projects.title}
              items={items}
              keyOf={(project) => textAt(project, 'metadata', 'name')}
              columns={[
                {
                  title: t.projects.name,
                  cell: (project) => (
                    <Link to="/applications" search={{ project: [textAt(project, 'metadata', 'name')] }}>
                      <strong>{textAt(project, 'metadata', 'name')}</strong>
                    </Link>
                  ),
                },
                { title: t.projects.description, cell: (project) => textAt(project, 'spec', 'description') },
                {
                  title: t.projects.sources,
                  cell: (project) => <Lines lines={textsAt(project, 'spec', 'sourceRepos')} />,
                },
                {
                  title: t.projects.destinations,
                  cell: (project) => (
                    <Lines
                      lines={objectsAt(project, 'spec', 'destinations').map(
                        (one) => `${textAt(one, 'name') || textAt(one, 'server')} / ${textAt(one, 'namespace')}`,
                      )}
                    />
                  ),
                },
                {
                  title: t.projects.roles,
                  cell: (project) => (
                    <Lines lines={objectsAt(project, 'spec', 'roles').map((role) => textAt(role, 'name'))} />
                  ),
                },
                { title: t.projects.windows, cell: (project) => listAt(project, 'spec', 'syncWindows').length },
                ...(mayUpdate || mayDelete
                  ? [
                      {
                        title: t.actions,
                        cell: (project: JsonObject) => (
                          <RowActions
                            name={textAt(project, 'metadata', 'name')}
                            onEdit={mayUpdate ? () => setEdited(project) : undefined}
                            onRemove={mayDelete ? () => setRemoved(textAt(project, 'metadata', 'name')) : undefined}
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
      {edited && <ProjectForm project={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {removed !== undefined && (
        <RemoveDialog
          list="projects"
          name={removed}
          text={t.projects.removeText}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Page>
  );
}

const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <ul>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
