import { listAt, objectsAt, textAt } from '@fairlead/apimachinery/json-at';
import { Link } from '@tanstack/react-router';
import { textsAt } from '../api/read-application.ts';
import { DataTable } from '../design/data-table.tsx';
import { Empty } from '../design/empty.tsx';
import { Page } from '../design/page.tsx';
import { QueryView } from '../design/query-view.tsx';
import { t } from '../messages/index.ts';
import { useList } from './use-list.ts';

export function ProjectsPage() {
  return (
    <Page title={t.projects.title}>
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
              ]}
            />
          )
        }
      </QueryView>
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
