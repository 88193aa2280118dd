import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Agent } from '@fairlead/api';
import type { InformerHandler } from '@fairlead/kube';
import { EventLog } from './event-log.ts';
import { followAgents } from './follow-agents.ts';

const agent = (name: string, status: Agent['status']): Agent => ({
  apiVersion: 'fairlead.dev/v1alpha1',
  kind: 'Agent',
  metadata: { name },
  spec: { mode: 'managed' },
  ...(status ? { status } : {}),
});

test('changes of agents are events, and their reports of being alive are not', () => {
  const handlers: InformerHandler<Agent>[] = [];
  const agents = {
    addHandler(handler: InformerHandler<Agent>) {
      handlers.push(handler);
      return () => void handlers.splice(0);
    },
  };
  const log = new EventLog('test', 10);
  const end = followAgents(log, agents, ({ metadata, spec, status }) => ({
    name: metadata.name,
    mode: spec.mode,
    connected: status?.transport === 'Up',
    liveAccess: false,
    backlog: 0,
    applications: 0,
    quarantined: [],
    ...(status?.lastSeenTime === undefined ? {} : { lastSeenTime: status.lastSeenTime }),
  }));
  const [down, up] = [agent('east', {}), agent('east', { transport: 'Up', lastSeenTime: '2026-01-01T00:00:00Z' })];
  const later = agent('east', { transport: 'Up', lastSeenTime: '2026-01-01T00:00:10Z' });
  for (const handler of [...handlers]) {
    handler.onAdd?.(agent('west', {}), true);
    handler.onAdd?.(down, false);
    handler.onUpdate?.(down, up);
    handler.onUpdate?.(up, later);
    handler.onDelete?.(later);
  }
  const types = Array.from({ length: log.last }, (_, i) => log.at(i + 1)).map((change) =>
    change?.kind === 'agent' ? `${change.type} ${change.agent.name}` : '',
  );
  assert.deepEqual(types, ['ADDED east', 'MODIFIED east', 'DELETED east']);
  end();
  assert.equal(handlers.length, 0);
});
