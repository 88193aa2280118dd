import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../api/client.ts';
import { Age } from '../design/age.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Empty } from '../design/empty.tsx';
import { Page } from '../design/page.tsx';
import { QueryView } from '../design/query-view.tsx';
import { Status } from '../design/status.tsx';
import { ageText } from '../lib/age.ts';
import { t } from '../messages/index.ts';

/** The syncs that run, then those that have ended. */
export function OperationsPage() {
  const query = useQuery({
    queryKey: ['operations'],
    queryFn: ({ signal }) => client.call('listOperations', { query: { limit: 200 } }, { signal }),
    refetchInterval: 3_000,
  });
  return (
    <Page title={t.operations.title}>
      <QueryView query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="sync" title={t.operations.empty} />
          ) : (
            <DataTable
              label={t.operations.title}
              items={items}
              keyOf={({ namespace, name }) => `${namespace}/${name}`}
              columns={[
                {
                  title: t.operations.application,
                  cell: ({ namespace, name }) => (
                    <Link to="/applications/$namespace/$name" params={{ namespace, name }} search={{}}>
                      <strong>{name}</strong>
                    </Link>
                  ),
                },
                { title: t.operations.phase, cell: ({ operation }) => <Status status={operation.phase} /> },
                { title: t.fleet.column.cluster, cell: ({ cluster }) => cluster },
                { title: t.operations.started, cell: ({ operation }) => <Age time={operation.startedAt} /> },
                { title: t.operations.took, cell: ({ operation }) => took(operation.startedAt, operation.finishedAt) },
                { title: t.operations.by, cell: ({ operation }) => operation.initiatedBy ?? '–' },
                { title: t.operations.message, cell: ({ operation }) => operation.message ?? '' },
              ]}
            />
          )
        }
      </QueryView>
    </Page>
  );
}

function took(startedAt: string | undefined, finishedAt: string | undefined): string {
  if (startedAt === undefined || finishedAt === undefined) return '–';
  return ageText((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000);
}
