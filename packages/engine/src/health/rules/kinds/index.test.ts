import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { assessHealth } from '../../assess-health.ts';
import { healthOrder } from '../../health.ts';
import { evaluateRule } from '../evaluate-rule.ts';
import { operatorRules } from './index.ts';

const rules = [...operatorRules];
const clauses = rules.flatMap(([name, rule]) =>
  rule.filter((clause) => typeof clause !== 'function').map((clause) => ({ name, clause })),
);

test('every rule returns a known status', () => {
  for (const { name, clause } of clauses) assert.ok(healthOrder.includes(clause.status), `${name}: ${clause.status}`);
});

test('every placeholder in a message is closed, and uses a known function', () => {
  for (const { name, clause } of clauses) {
    assert.match(clause.message, /^(?:[^{}]|\{[^{}]+\})*$/, name);
    for (const [, verb] of clause.message.matchAll(/\{(\w+)[:(]/g)) {
      assert.ok(['lower', 'count', 'sum', 'join'].includes(verb ?? ''), `${name}: ${clause.message}`);
    }
  }
});

test('no clause follows one that always applies', () => {
  for (const [name, rule] of rules) {
    const always = rule.findIndex((clause) => typeof clause !== 'function' && clause.when.length === 0);
    if (always !== -1) assert.equal(always, rule.length - 1, name);
  }
});

test('every rule assesses an object without status', () => {
  for (const [name, rule] of rules) {
    const [group, kind] = name.split('/');
    const object = { apiVersion: `${group}/v1`, kind, metadata: { name: 'x' } } as KubeObject;
    assert.ok(evaluateRule(rule, object), name);
  }
});

const condition = fc.record(
  {
    type: fc.constantFrom('Ready', 'Synced', 'Available', 'Progressing', 'Accepted', 'Complete'),
    status: fc.oneof(fc.constantFrom('True', 'False', 'Unknown'), fc.jsonValue()),
    reason: fc.jsonValue(),
    message: fc.jsonValue(),
    observedGeneration: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const status = fc.oneof(
  fc.jsonValue(),
  fc.record({ conditions: fc.oneof(fc.array(fc.oneof(condition, fc.jsonValue())), fc.jsonValue()) }),
);

test('every object of these kinds gets a health from its rule', () => {
  const anyRule = fc.constantFrom(...rules);
  const run = ([name, rule]: (typeof rules)[number], metadata: unknown, spec: unknown, its: unknown) => {
    const kind = name.slice(name.indexOf('/') + 1).replace('*', 'AnyPolicy');
    const object = { apiVersion: 'g/v1', kind, metadata, spec, status: its } as unknown as KubeObject;
    assert.ok(healthOrder.includes(evaluateRule(rule, object)?.status as never), name);
  };
  fc.assert(fc.property(anyRule, fc.jsonValue(), fc.jsonValue(), status, run), { numRuns: 2000 });
});

test('assessing never throws, even for invalid objects', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (whole, apiVersion) => {
      assessHealth(whole as unknown as KubeObject);
      assessHealth({ apiVersion, kind: whole } as unknown as KubeObject);
    }),
  );
});
