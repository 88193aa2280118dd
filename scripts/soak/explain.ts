import { type Application, applicationKind, type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import type { Slot } from './slots.ts';
import type { Stage } from './stage.ts';

const deadlineMs = 10_000;

/** What each hop between a slot and its live objects reports, so that a slot that is not deployed can be explained after the run. */
export async function explain({ hub, edge, git }: Stage, slot: Slot): Promise<string[]> {
  const lines = [`main is at ${await git.head(slot.repository)}`];
  if (slot.kind === 'tenant') {
    const { items } = await hub.list<GitOpsDeployment>(gitopsDeploymentKind.type, {
      namespace: slot.namespace,
      signal: AbortSignal.timeout(deadlineMs),
    });
    lines.push(...items.filter(({ metadata }) => metadata.name === slot.name).map((each) => describe('hub', each)));
  }
  for (const [name, client] of new Map<string, ApiClient>(
    hub === edge ? [['hub', hub]] : Object.entries({ hub, edge }),
  )) {
    const { items } = await client.list<Application>(applicationKind.type, { signal: AbortSignal.timeout(deadlineMs) });
    const own = items.filter(({ spec }) => spec.source?.path === slot.name);
    lines.push(...own.map((each) => describe(name, each)));
  }
  return lines;
}

function describe(cluster: string, { kind, metadata, status }: Application | GitOpsDeployment): string {
  const deleted = metadata.deletionTimestamp ? `, deleted at ${metadata.deletionTimestamp}` : '';
  const object = `${cluster} ${kind} ${metadata.namespace}/${metadata.name}${deleted}`;
  const { resources: _, history: _history, ...rest } = { resources: [], history: [], ...status };
  return `${object}: ${JSON.stringify(rest).slice(0, 1500)}`;
}
