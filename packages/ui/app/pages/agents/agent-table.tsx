import type { Agent } from '@fairlead/client';
import { Age } from '../../design/age.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { Status } from '../../design/status.tsx';
import { useNow } from '../../lib/clock.ts';
import { t } from '../../messages/index.ts';
import { agentStatus, agentText, certificateText } from './agent-state.ts';

export function AgentTable({ agents }: { readonly agents: readonly Agent[] }) {
  const now = useNow();
  return (
    <DataTable
      label={t.agents.title}
      items={agents}
      keyOf={({ name }) => name}
      columns={[
        { title: t.agents.name, cell: ({ name }) => <strong>{name}</strong> },
        { title: t.agents.connected, cell: (agent) => <Status status={agentStatus(agent)} text={agentText(agent)} /> },
        { title: t.agents.mode, cell: ({ mode }) => mode },
        { title: t.agents.applications, cell: ({ applications }) => applications },
        { title: t.agents.data, cell: ({ data = '–' }) => data },
        { title: t.agents.liveAccess, cell: ({ liveAccess }) => (liveAccess ? t.agents.works : t.agents.fails) },
        { title: t.agents.backlog, cell: ({ backlog }) => backlog },
        {
          title: t.agents.lastSeen,
          cell: ({ lastSeenTime, connectedAt }) => <Age time={lastSeenTime ?? connectedAt} />,
        },
        { title: t.agents.certificate, cell: (agent) => certificateText(agent.certificateExpiry, now)?.text ?? '–' },
        { title: t.agents.version, cell: ({ version = '–' }) => version },
      ]}
    />
  );
}
