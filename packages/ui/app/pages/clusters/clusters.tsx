import { type JsonObject, numberAt, textAt } from '@fairlead/apimachinery/json-at';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/me.ts';
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
import { ClusterForm } from './cluster-form.tsx';

export function ClustersPage() {
  const may = useMay();
  const [edited, setEdited] = useState<JsonObject | 'new'>();
  const [removed, setRemoved] = useState<JsonObject>();
  const [mayUpdate, mayDelete] = [may('clusters', 'update'), may('clusters', 'delete')];
  return (
    <Page
      title={t.clusters.title}
      actions={
        may('clusters', 'create') && (
          <button type="button" className="button primary" onClick={() => setEdited('new')}>
            <Icon name="plus" size={14} />
            {t.clusters.add}
          </button>
        )
      }
    >
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
                ...(mayUpdate || mayDelete
                  ? [
                      {
                        title: t.actions,
                        cell: (cluster: JsonObject) => (
                          <RowActions
                            name={textAt(cluster, 'name')}
                            onEdit={mayUpdate ? () => setEdited(cluster) : undefined}
                            onRemove={mayDelete ? () => setRemoved(cluster) : undefined}
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
      {edited && <ClusterForm cluster={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {removed && (
        <RemoveDialog
          list="clusters"
          name={textAt(removed, 'name')}
          id={textAt(removed, 'server')}
          text={t.clusters.removeText}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Page>
  );
}
