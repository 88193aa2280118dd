import { nameOf } from '@fairlead/app-controller/application-text';
import { type Flow, type FlowHop, hopIds } from '../../api/detail-shapes.ts';
import { agentHop, principalHop } from './agent-hops.ts';
import { clusterHop } from './cluster-hop.ts';
import type { Finding, FlowState, Hop } from './flow-state.ts';
import { commitHop, renderHop } from './source-hops.ts';
import { statusHop } from './status-hop.ts';
import { operationHop, tenantHop } from './tenant-hops.ts';

interface HopSpec {
  readonly title: string;
  readonly direction: FlowHop['direction'];
  /** Hops that have to deliver before this one can. */
  readonly after: readonly Hop[];
  readonly find: (state: FlowState) => Finding;
}

const hops: Readonly<Record<Hop, HopSpec>> = {
  commit: { title: 'Commit', direction: 'down', after: [], find: commitHop },
  render: { title: 'Render', direction: 'down', after: ['commit'], find: renderHop },
  tenant: { title: 'Tenant', direction: 'down', after: [], find: tenantHop },
  operation: { title: 'Operation', direction: 'down', after: ['tenant'], find: operationHop },
  principal: { title: 'Principal', direction: 'down', after: ['tenant', 'operation'], find: principalHop },
  agent: { title: 'Agent', direction: 'down', after: ['tenant', 'operation', 'principal'], find: agentHop },
  cluster: {
    title: 'Cluster',
    direction: 'down',
    after: ['commit', 'render', 'tenant', 'operation', 'principal', 'agent'],
    find: clusterHop,
  },
  status: { title: 'Status', direction: 'up', after: ['principal'], find: statusHop },
};

/** Each hop of an Application, and the first one that is broken. */
export function flowOf(state: FlowState): Flow {
  const found: FlowHop[] = [];
  for (const id of hopIds) {
    const { title, direction, after, find } = hops[id];
    const blocking = found.find((hop) => hop.state === 'broken' && after.includes(hop.id));
    const finding = behind(find(state), blocking);
    found.push({ id, title, direction, ...finding, ...ageOf(finding.since, state.now) });
  }
  const broken = found.find((hop) => hop.state === 'broken');
  return { hops: found, ...(broken ? { broken: broken.id } : {}), summary: summaryOf(state, found, broken) };
}

/** A hop cannot be assessed while one before it delivers nothing; only what is wrong with the hop itself is still true. */
function behind(finding: Finding, blocking: FlowHop | undefined): Finding {
  if (!blocking || finding.state === 'absent') return finding;
  // The status of an agent is the last one that the principal has written.
  const isKnown = finding.state === 'broken' && blocking.id !== 'principal';
  if (isKnown) return finding;
  const { action: _, ...rest } = finding;
  return { ...rest, state: 'waiting', reason: `It waits for the hop ${blocking.title}, which is broken.` };
}

function ageOf(since: string | undefined, now: number): Pick<FlowHop, 'ageSeconds'> {
  const at = Date.parse(since ?? '');
  return Number.isNaN(at) ? {} : { ageSeconds: Math.max(0, Math.round((now - at) / 1_000)) };
}

function summaryOf({ application }: FlowState, found: readonly FlowHop[], broken: FlowHop | undefined): string {
  const name = nameOf(application);
  if (broken) return `${name} makes no progress at the hop ${broken.title}: ${broken.reason ?? 'no reason is known.'}`;
  const moving = found.find((hop) => hop.state === 'working') ?? found.find((hop) => hop.state === 'waiting');
  if (moving) return `${name} is at the hop ${moving.title}: ${moving.reason ?? 'it is under way.'}`;
  const unknown = found.find((hop) => hop.state === 'unknown');
  if (unknown) return `Nothing is known of the hop ${unknown.title} of ${name}.`;
  return `${name} has passed every hop.`;
}
