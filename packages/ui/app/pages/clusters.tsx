import { numberAt, textAt } from '@fairlead/apimachinery/json-at';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../design/data-table.tsx';
import { Empty } from '../design/empty.tsx';
import { Page } from '../design/page.tsx';
import { QueryView } from '../design/query-view.tsx';
import { Status } from '../design/status.tsx';
import { t } from '../messages/index.ts';
import { useList } from './use-list.ts';

export function ClustersPage() {
  return (
    <Page title={t.clusters.title}>
      <QueryView query={useList('clusters')}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon="cluster" title={t.clusters.empty} />
          ) : (
            <DataTable
              label={t.clusters.title}
              items={items}
              keyOf={(cluster) => textAt(cluster, 'server')}
              columns={[
                {
                  title: t.clusters.name,
                  cell: (cluster) => (
                    <Link
                      to="/applications"
                      search={{ cluster: [textAt(cluster, 'name') || textAt(cluster, 'server')] }}
                    >
                      <strong>{textAt(cluster, 'name') || textAt(cluster, 'server')}</strong>
                    </Link>
                  ),
                },
                {
                  title: t.clusters.server,
                  cell: (cluster) => <span className="mono">{textAt(cluster, 'server')}</span>,
                },
                {
                  title: t.clusters.state,
                  cell: (cluster) => (
                    <Status
                      status={textAt(cluster, 'connectionState', 'status') || 'Unknown'}
                      text={
                        textAt(cluster, 'connectionState', 'message') ||
                        textAt(cluster, 'connectionState', 'status') ||
                        'Unknown'
                      }
                    />
                  ),
                },
                { title: t.clusters.version, cell: (cluster) => textAt(cluster, 'serverVersion') || '–' },
                { title: t.clusters.applications, cell: (cluster) => numberAt(cluster, 'info', 'applicationsCount') },
              ]}
            />
          )
        }
      </QueryView>
    </Page>
  );
}
