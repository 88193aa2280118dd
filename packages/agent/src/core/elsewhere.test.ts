import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Agent, Application } from '@fairlead/api';
import { agentOfApplication } from './elsewhere.ts';

const agents: Readonly<Record<string, Agent['spec']>> = {
  edge: { mode: 'managed' },
  north: { mode: 'managed', mapping: 'destination' },
  site: { mode: 'autonomous' },
};
const agentOf = (name: string): Agent | undefined =>
  agents[name] && { apiVersion: 'fairlead.dev/v1alpha1', kind: 'Agent', metadata: { name }, spec: agents[name] };
const application = (namespace: string, destination: string): Application =>
  ({ metadata: { name: 'shop', namespace }, spec: { destination: { name: destination } } }) as Application;

const cases: [string, Application, boolean][] = [
  ['one of the hub itself', application('argocd', 'in-cluster'), false],
  ['one in the namespace of a managed agent', application('edge', 'in-cluster'), true],
  ['one that an autonomous agent shows', application('site', 'site'), true],
  ['one whose destination is an agent mapped by destination', application('argocd', 'north'), true],
  ['one of another namespace whose destination is such an agent', application('team-a', 'north'), true],
  ['one of another namespace', application('team-a', 'in-cluster'), false],
  ['one whose destination has the name of an agent that is mapped by namespace', application('argocd', 'edge'), false],
  ['one in the namespace of the name of an agent mapped by destination', application('north', 'in-cluster'), false],
];
for (const [words, given, elsewhere] of cases) {
  test(`${words} is ${elsewhere ? 'reconciled by its cluster' : 'reconciled here'}`, () => {
    assert.equal(agentOfApplication(given, 'argocd', agentOf) !== undefined, elsewhere);
  });
}
