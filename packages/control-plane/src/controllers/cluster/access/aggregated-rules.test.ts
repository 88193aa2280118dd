import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregatedRules, type ClusterRole, type PolicyRule } from './aggregated-rules.ts';

const rule = (resource: string): PolicyRule => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
const role = (name: string, labels: Record<string, string>, ...rules: PolicyRule[]): ClusterRole => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules,
});
const gathering = (rules: PolicyRule[] | null, ...keys: string[]): ClusterRole => ({
  ...role('all', { part: 'yes' }),
  rules,
  aggregationRule: { clusterRoleSelectors: keys.map((key) => ({ matchLabels: { [key]: 'yes' } })) },
});

test('rules are gathered by selector, then by name, each once, and not from oneself', () => {
  const parts = [
    role('z', { part: 'yes' }, rule('pods'), rule('nodes')),
    role('a', { part: 'yes' }, rule('secrets'), rule('pods')),
    role('m', { more: 'yes' }, rule('events')),
  ];
  const own = gathering([rule('own')], 'more', 'part');
  assert.deepEqual(aggregatedRules(own, [own, ...parts]), [
    rule('events'),
    rule('secrets'),
    rule('pods'),
    rule('nodes'),
  ]);
});

test('a role that has its rules, or that gathers none, is left alone', () => {
  const part = role('a', { part: 'yes' }, { resources: ['pods'], apiGroups: [''], verbs: ['get'] });
  assert.equal(aggregatedRules(gathering([rule('pods')], 'part'), [part]), undefined);
  assert.equal(aggregatedRules(gathering(null, 'nobody'), [part]), undefined);
  assert.equal(aggregatedRules(part, [part]), undefined);
});

test('rules that nobody gives any more are dropped', () => {
  assert.deepEqual(aggregatedRules(gathering([rule('pods')], 'part'), []), []);
});
