import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { Empty } from '../design/empty.tsx';
import { Page } from '../design/page.tsx';
import { QueryView } from '../design/query-view.tsx';
import { Segments } from '../design/segments.tsx';
import { t } from '../messages/index.ts';
import { AgentMap } from './agents/agent-map.tsx';
import { AgentTable } from './agents/agent-table.tsx';

export function AgentsPage() {
  const [view, setView] = useState<'map' | 'table'>('map');
  const query = useQuery({
    queryKey: ['agents'],
    queryFn: ({ signal }) => client.call('listAgents', {}, { signal }),
    refetchInterval: 5_000,
  });
  return (
    <Page
      title={t.agents.title}
      actions={
        <Segments
          label={t.fleet.view}
          value={view}
          options={[
            { value: 'map', label: t.agents.map, icon: 'cluster' },
            { value: 'table', label: t.agents.table, icon: 'table' },
          ]}
          onChange={setView}
        />
      }
    >
      <QueryView query={query}>
        {({ items }) => {
          if (items.length === 0) {
            return (
              <Empty icon="agent" title={t.agents.empty}>
                <p>{t.agents.emptyHint}</p>
              </Empty>
            );
          }
          return view === 'map' ? <AgentMap agents={items} /> : <AgentTable agents={items} />;
        }}
      </QueryView>
    </Page>
  );
}
