import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import fc from 'fast-check';
import type { Caller } from './enforcer.ts';
import { Enforcer } from './enforcer.ts';
import { readRbacConfig } from './rbac-config.ts';

const shop: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'shop' },
  spec: { roles: [{ name: 'ci', policies: ['p, proj:shop:ci, applications, get, shop/web, allow'], groups: ['ops'] }] },
};

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const patterns = one(
  '*',
  '*/*',
  'shop/*',
  'shop/web',
  'sh*',
  's?op/*',
  '*op/*',
  'shop/w*',
  'team/*',
  '{shop,x}/*',
  'shop/**',
  '.*',
  '(',
  '',
);
const lines = fc.oneof(
  fc
    .tuple(
      one('alice', 'role:dev', 'ops', '', 'role:base'),
      one('get', '*', 'sync'),
      patterns,
      one('allow', 'allow', 'deny'),
    )
    .map(([subject, action, object, effect]) => `p, ${subject}, applications, ${action}, "${object}", ${effect}`),
  fc.tuple(one('alice', 'ops'), one('role:dev', 'role:admin')).map(([member, role]) => `g, ${member}, ${role}`),
);
const callers: Caller[] = [
  'anonymous',
  { sub: 'alice' },
  { sub: 'bob', groups: ['ops'] },
  { sub: 'proj:shop:ci' },
  { sub: 'proj:team:ci' },
];
const names = ['web', 'db', 'ns/web', 'ns/op/x'];

test('what holds for a project holds for each of its Applications', () => {
  fc.assert(
    fc.property(
      fc.array(lines, { maxLength: 5 }),
      one('glob', 'regex'),
      one('', 'role:base'),
      one(...callers),
      one('shop', 'team'),
      (policy, mode, defaultRole, caller, project) => {
        const data = { 'policy.csv': policy.join('\n'), 'policy.matchMode': mode, 'policy.default': defaultRole };
        const enforcer = new Enforcer(readRbacConfig(data), (name) => (name === 'shop' ? shop : undefined));
        const reach = enforcer.reach(caller, { resource: 'applications', action: 'get', project });
        if (reach === 'some') return;
        for (const name of names) {
          const request = { resource: 'applications', action: 'get', object: `${project}/${name}` };
          assert.equal(enforcer.allows(caller, request), reach === 'all', `${name} ${reach}`);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('usual policies are decided by project', () => {
  const policy =
    'p, alice, applications, *, shop/*, allow\np, role:all, applications, get, */*, allow\ng, ops, role:all';
  const enforcer = new Enforcer(readRbacConfig({ 'policy.csv': policy }), () => undefined);
  const reach = (caller: Caller, project: string) =>
    enforcer.reach(caller, { resource: 'applications', action: 'get', project });
  assert.deepEqual([reach({ sub: 'alice' }, 'shop'), reach({ sub: 'alice' }, 'team')], ['all', 'none']);
  assert.equal(reach({ sub: 'bob', groups: ['ops'] }, 'team'), 'all');
});
