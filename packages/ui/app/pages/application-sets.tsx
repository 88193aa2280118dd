import { objectsAt, textAt } from '@fairlead/apimachinery/json-at';
import { DataTable } from '../design/data-table.tsx';
import { Empty } from '../design/empty.tsx';
import { Page } from '../design/page.tsx';
import { QueryView } from '../design/query-view.tsx';
import { Status } from '../design/status.tsx';
import { t } from '../messages/index.ts';
import { useList } from './use-list.ts';

export function ApplicationSetsPage() {
  const query = useList('applicationsets');
  return (
    <Page title={t.sets.title}>
      <QueryView query={query}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon="sets" title={t.sets.empty} />
          ) : (
            <DataTable
              label={t.sets.title}
              items={items}
              keyOf={(set) => `${textAt(set, 'metadata', 'namespace')}/${textAt(set, 'metadata', 'name')}`}
              columns={[
                { title: t.sets.name, cell: (set) => <strong>{textAt(set, 'metadata', 'name')}</strong> },
                {
                  title: t.sets.generators,
                  cell: (set) =>
                    objectsAt(set, 'spec', 'generators')
                      .flatMap((one) => Object.keys(one))
                      .join(', '),
                },
                { title: t.sets.applications, cell: (set) => objectsAt(set, 'status', 'resources').length },
                {
                  title: t.sets.condition,
                  cell: (set) => {
                    const failed = objectsAt(set, 'status', 'conditions').find(
                      (one) => textAt(one, 'type') === 'ErrorOccurred' && textAt(one, 'status') === 'True',
                    );
                    return failed ? (
                      <Status status="Degraded" text={textAt(failed, 'message')} />
                    ) : (
                      <Status status="Healthy" />
                    );
                  },
                },
              ]}
            />
          )
        }
      </QueryView>
    </Page>
  );
}
