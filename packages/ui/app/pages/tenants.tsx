import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../api/client.ts';
import { DataTable } from '../design/data-table.tsx';
import { Empty } from '../design/empty.tsx';
import { Page } from '../design/page.tsx';
import { QueryView } from '../design/query-view.tsx';
import { StatusBar } from '../design/status-bar.tsx';
import { t } from '../messages/index.ts';

export function TenantsPage() {
  const query = useQuery({
    queryKey: ['tenants'],
    queryFn: ({ signal }) => client.call('listTenants', {}, { signal }),
    refetchInterval: 10_000,
  });
  return (
    <Page title={t.tenants.title}>
      <QueryView query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="tenant" title={t.tenants.empty}>
              <p>{t.tenants.emptyHint}</p>
            </Empty>
          ) : (
            <DataTable
              label={t.tenants.title}
              items={items}
              keyOf={({ name }) => name}
              columns={[
                {
                  title: t.tenants.name,
                  cell: ({ name }) => (
                    <Link to="/applications" search={{ tenant: [name] }}>
                      <strong>{name}</strong>
                    </Link>
                  ),
                },
                { title: t.tenants.deployments, cell: ({ deployments }) => deployments },
                { title: t.tenants.applications, cell: ({ applications }) => applications },
                { title: t.tenants.health, cell: ({ health }) => <StatusBar counts={health} /> },
                {
                  title: t.tenants.problems,
                  cell: ({ problems }) => (
                    <ul>
                      {problems.map((problem) => (
                        <li key={problem} className="tone-bad">
                          {problem}
                        </li>
                      ))}
                    </ul>
                  ),
                },
              ]}
            />
          )
        }
      </QueryView>
    </Page>
  );
}
