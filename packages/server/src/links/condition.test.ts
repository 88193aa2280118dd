import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '@fairlead/apimachinery';
import { evaluateCondition } from './condition.ts';
import { ConditionError } from './tokens.ts';

const scope: Readonly<Record<string, Json>> = {
  app: {
    metadata: { name: 'shop', labels: { team: 'a' } },
    spec: { sources: [{ path: 'x' }, { path: 'y' }], replicas: 3 },
  },
};

const cases: readonly (readonly [condition: string, value: Json])[] = [
  ['app.metadata.name == "shop"', true],
  ["app.metadata.name != 'shop'", false],
  ['app.metadata.labels["team"] == "a" && app.spec.replicas > 2', true],
  ['app.metadata.annotations != nil && app.metadata.annotations.x == "y"', false],
  ['app.metadata.annotations?.x == nil', true],
  ['app.metadata.name in ["shop", "other"]', true],
  ['app.metadata.name not in ["shop"]', false],
  ['"team" in app.metadata.labels', true],
  ['app.metadata.name matches "^sh" and not (app.metadata.name endsWith "x")', true],
  ['len(app.spec.sources) == 2 ? app.spec.sources[1].path : "none"', 'y'],
  ['nothing ?? "default"', 'default'],
  ['nothing == nil', true],
];

for (const [condition, value] of cases) {
  test(`${condition} is ${JSON.stringify(value)}`, () => assert.deepEqual(evaluateCondition(condition, scope), value));
}

for (const condition of [
  'app.metadata.name ==',
  'app.',
  '(app',
  'nothing.x',
  'app.metadata.name && true',
  'run()',
  '#',
  '('.repeat(5000),
]) {
  test(`${condition.slice(0, 40)} is refused`, () => {
    assert.throws(() => evaluateCondition(condition, scope), ConditionError);
  });
}
