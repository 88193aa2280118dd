import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { type Caller, denialMessage, Enforcer } from './enforcer.ts';
import { readRbacConfig } from './rbac-config.ts';

const project: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'shop' },
  spec: {
    roles: [
      { name: 'ci', policies: ['p, proj:shop:ci, applications, sync, shop/*, allow'], groups: ['builders'] },
      { name: 'broken', policies: [] },
    ],
  },
};

const enforcer = (policy: string, more: Record<string, string> = {}): Enforcer =>
  new Enforcer(readRbacConfig({ 'policy.csv': policy, ...more }), (name) => (name === 'shop' ? project : undefined));

const maySync = (by: Enforcer, caller: Caller, object = 'shop/web'): boolean =>
  by.allows(caller, { resource: 'applications', action: 'sync', object });

test('a denial overrides what the same identity may do, and not what a group of the user may do', () => {
  const policy = `p, alice, applications, *, */*, allow
p, alice, applications, sync, */*, deny
p, role:dev, applications, sync, */*, allow
g, devs, role:dev`;
  assert.ok(!maySync(enforcer(policy), { sub: 'alice' }));
  assert.ok(maySync(enforcer(policy), { sub: 'alice', groups: ['devs'] }));
});

test('a group counts only if a g line begins with it', () => {
  const by = enforcer('p, devs, applications, sync, */*, allow');
  assert.ok(!maySync(by, { sub: 'alice', groups: ['devs'] }));
});

test('a chain of roles ends after ten links', () => {
  const chain = (links: number): string =>
    Array.from({ length: links }, (_, i) => `g, role:${i}, role:${i + 1}`).join('\n');
  const last = (links: number): string => `${chain(links)}\np, role:${links}, applications, sync, */*, allow`;
  assert.ok(maySync(enforcer(last(10)), { sub: 'role:0' }));
  assert.ok(!maySync(enforcer(last(11)), { sub: 'role:0' }));
});

test('in regex mode the built-in roles match nothing, and an invalid pattern denies', () => {
  const regex = { 'policy.matchMode': 'regex' };
  assert.ok(!maySync(enforcer('', regex), { sub: 'admin' }));
  assert.ok(maySync(enforcer('p, bob, app.*, ^(get|sync)$, ^shop/, allow', regex), { sub: 'bob' }));
  assert.ok(!maySync(enforcer('p, bob, .*, .*, .*, allow\np, bob, .*, .*, (, deny', regex), { sub: 'bob' }));
});

test('an exponential pattern takes linear time', () => {
  const by = enforcer('p, bob, .*, .*, (a+)+$, allow', { 'policy.matchMode': 'regex' });
  const before = process.cpuUsage();
  assert.ok(!maySync(by, { sub: 'bob' }, `${'a'.repeat(5_000)}!`));
  const { user } = process.cpuUsage(before);
  assert.ok(user / 1_000 < 1_000, `${user / 1_000} ms`);
});

test('roles of a project count for its objects only', () => {
  const by = enforcer('');
  assert.ok(maySync(by, { sub: 'proj:shop:ci' }));
  assert.ok(maySync(by, { sub: 'bob', groups: ['builders'] }));
  assert.ok(!maySync(by, { sub: 'bob', groups: ['builders'] }, 'other/web'));
  assert.ok(by.allows({ sub: 'proj:shop:ci' }, { resource: 'projects', action: 'get', object: 'shop' }));
});

test('a token of a project has no access to another project, whatever the policy says', () => {
  const by = enforcer('p, proj:other:ci, applications, *, */*, allow');
  assert.ok(!maySync(by, { sub: 'proj:other:ci' }));
});

test('roles of the empty subject are for anonymous requests only', () => {
  const by = enforcer('g, , role:admin\np, , logs, get, */*, allow');
  assert.ok(maySync(by, 'anonymous'));
  assert.ok(!maySync(by, { sub: 'alice' }));
  assert.ok(by.allows({ sub: 'alice' }, { resource: 'logs', action: 'get', object: 'shop/web' }));
});

test('a denial says what was asked, by whom and with which token', () => {
  const request = { resource: 'projects', action: 'get', object: 'shop' };
  assert.equal(denialMessage('anonymous', request), 'permission denied: projects, get, shop');
  assert.equal(
    denialMessage({ sub: 'alice', iat: 1_700_000_000 }, request),
    'permission denied: projects, get, shop, sub: alice, iat: 2023-11-14T22:13:20Z',
  );
});
