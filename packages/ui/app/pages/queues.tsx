import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { Age } from '../design/age.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Empty } from '../design/empty.tsx';
import { Page } from '../design/page.tsx';
import { QueryView } from '../design/query-view.tsx';
import { Status } from '../design/status.tsx';
import { ageText } from '../lib/age.ts';
import { t } from '../messages/index.ts';

/** The processes of Fairlead, and what waits in them. */
export function QueuesPage() {
  const query = useQuery({
    queryKey: ['queues'],
    queryFn: ({ signal }) => client.call('listQueues', {}, { signal }),
    refetchInterval: 5_000,
  });
  return (
    <Page title={t.queues.title}>
      <QueryView query={query}>
        {({ items, roles }) =>
          items.length + roles.length === 0 ? (
            <Empty icon="queue" title={t.queues.empty} />
          ) : (
            <>
              <DataTable
                label={t.queues.roles}
                items={roles}
                keyOf={({ role, instance }) => `${role}/${instance}`}
                columns={[
                  { title: t.queues.role, cell: ({ role }) => <strong>{role}</strong> },
                  { title: t.queues.instance, cell: ({ instance }) => instance },
                  {
                    title: t.queues.roles,
                    cell: ({ live, problem }) => (
                      <Status
                        status={problem !== undefined ? 'Degraded' : live ? 'Healthy' : 'Unknown'}
                        text={problem ?? (live ? t.queues.live : t.queues.silent)}
                      />
                    ),
                  },
                  { title: t.queues.reported, cell: ({ reportedAt }) => <Age time={reportedAt} /> },
                ]}
              />
              <DataTable
                label={t.queues.title}
                items={items}
                keyOf={({ role, instance, name }) => `${role}/${instance}/${name}`}
                columns={[
                  { title: t.queues.name, cell: ({ name }) => <strong>{name}</strong> },
                  { title: t.queues.role, cell: ({ role }) => role },
                  { title: t.queues.depth, cell: ({ depth }) => depth.toLocaleString('en') },
                  {
                    title: t.queues.oldest,
                    cell: ({ oldestSeconds }) => (oldestSeconds === undefined ? '–' : ageText(oldestSeconds)),
                  },
                  { title: t.queues.reported, cell: ({ reportedAt }) => <Age time={reportedAt} /> },
                ]}
              />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}
