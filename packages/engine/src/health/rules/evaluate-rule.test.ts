import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { evaluateRule } from './evaluate-rule.ts';
import {
  all,
  any,
  compare,
  condition,
  degraded,
  every,
  field,
  healthy,
  matches,
  not,
  present,
  progressing,
  type Rule,
  some,
  stale,
  staleCondition,
  suspended,
  type Test,
} from './rule.ts';
import { byColour, byCondition, byWord, byWordSaying } from './shapes.ts';

const widget = (status?: object, rest: object = {}): KubeObject =>
  ({
    apiVersion: 'example.org/v1',
    kind: 'Widget',
    metadata: { name: 'w', generation: 3, annotations: { 'example.org/hold': 'yes' } },
    ...(status && { status }),
    ...rest,
  }) as KubeObject;

const healthOf = (rule: Rule, object: KubeObject): string => {
  const health = evaluateRule(rule, object);
  return `${health?.status}: ${health?.message ?? ''}`;
};

const ready = { type: 'Ready', status: 'True', reason: 'Done', message: 'all good', observedGeneration: 3 };
const failing = { type: 'Synced', status: 'False', reason: 'Denied', message: 'no access', observedGeneration: 2 };
const conditions = { conditions: [failing, ready] };
const racks = { racks: { a: { ready: 3, desired: 3, state: 'Up' }, b: { ready: 1, desired: 3, state: 'Down' } } };

const tests: [title: string, tests: readonly Test[], object: KubeObject, holds: boolean][] = [
  ['a condition of a type', [condition('Ready')], widget(conditions), true],
  ['a condition of one of many types', [condition(['Ready', 'Other'])], widget(conditions), true],
  ['a condition with another status', [condition('Ready', 'False')], widget(conditions), false],
  ['a condition with one of many statuses', [condition('Synced', ['False', 'Unknown'])], widget(conditions), true],
  [
    'a condition whose status is a boolean',
    [condition('A', 'True')],
    widget({ conditions: [{ type: 'A', status: true }] }),
    true,
  ],
  ['a condition for a reason', [condition('Synced', 'False', { reason: ['Denied'] })], widget(conditions), true],
  ['a condition for another reason', [condition('Synced', [], { reason: 'Other' })], widget(conditions), false],
  [
    'a condition elsewhere',
    [condition('Ready', 'True', { at: 'status.inner.conditions' })],
    widget({ inner: conditions }),
    true,
  ],
  ['a condition of this generation', [condition('Ready', 'True', { current: true })], widget(conditions), true],
  ['a condition of another generation', [condition('Synced', 'False', { current: true })], widget(conditions), false],
  ['no conditions', [condition('Ready')], widget(), false],
  ['a word', [field('status.phase', 'Up', 'Running')], widget({ phase: 'Running' }), true],
  ['another word', [field('status.phase', 'Up')], widget({ phase: 'Running' }), false],
  ['a flag', [field('spec.paused', true)], widget({}, { spec: { paused: true } }), true],
  ['a flag that is text', [field('spec.paused', true)], widget({}, { spec: { paused: 'true' } }), false],
  ['a number', [field('status.state', 0)], widget({ state: 0 }), true],
  ['a key with dots', [field('metadata.annotations[example.org/hold]', 'yes')], widget(), true],
  ['an inherited name', [present('status.constructor')], widget({}), false],
  ['something', [present('status.phase')], widget({ phase: 'x' }), true],
  ['empty text', [present('status.phase')], widget({ phase: '' }), false],
  ['an empty list', [present('status.list')], widget({ list: [] }), false],
  ['an empty map', [present('status')], widget({}), false],
  ['null', [present('status')], { ...widget(), status: null } as unknown as KubeObject, false],
  ['false is something', [present('status.ok')], widget({ ok: false }), true],
  ['text like a pattern', [matches('kind', /get$/)], widget(), true],
  ['text unlike a pattern', [matches('kind', /^get/)], widget(), false],
  [
    'fewer than desired',
    [compare('status.ready', '<', 'spec.replicas')],
    widget({ ready: 1 }, { spec: { replicas: 2 } }),
    true,
  ],
  ['a missing value is 0', [compare('status.ready', '=', 0)], widget({}), true],
  ['numbers as text', [compare('status.a', '>=', 'status.b')], widget({ a: '10', b: '9' }), true],
  ['a hash is not a number', [compare('status.a', '<', 9e99)], widget({ a: '5e10' }), false],
  ['a hash is not a number', [compare('status.a', '!=', 1)], widget({ a: 'abc' }), false],
  ['a count', [compare('count:status.racks[*]', '=', 2)], widget(racks), true],
  ['a count of some', [compare('count:status.racks[state=Down]', '=', 1)], widget(racks), true],
  ['a sum', [compare('sum:status.racks[*].desired', '=', 6)], widget(racks), true],
  ['some element', [some('status.racks', compare('ready', '<', 'desired'))], widget(racks), true],
  ['no element', [some('status.racks', field('state', 'Lost'))], widget(racks), false],
  ['every element', [every('status.racks', field('state', 'Up', 'Down'))], widget(racks), true],
  ['not every element', [every('status.racks', field('state', 'Up'))], widget(racks), false],
  ['every element of an empty list', [every('status.racks', field('state', 'Up'))], widget({}), false],
  ['any', [any(field('kind', 'Gadget'), field('kind', 'Widget'))], widget(), true],
  ['all', [all(field('kind', 'Widget'), present('status'))], widget(), false],
  ['not', [not(present('status'))], widget(), true],
  ['an older generation', [stale()], widget({ observedGeneration: 2 }), true],
  ['this generation', [stale()], widget({ observedGeneration: 3 }), false],
  ['no generation', [stale()], widget({}), false],
  ['a condition of an older generation', [staleCondition('Synced')], widget(conditions), true],
  ['a condition of this generation is not stale', [staleCondition('Ready')], widget(conditions), false],
];
for (const [title, when, object, expected] of tests) {
  test(`a test of a rule: ${title}`, () => {
    assert.equal(healthOf([healthy('', ...when), degraded('')], object), expected ? 'Healthy: ' : 'Degraded: ');
  });
}

const messages: [message: string, when: readonly Test[], object: KubeObject, expected: string][] = [
  ['as it is', [], widget(), 'as it is'],
  ['{kind} is {status.phase}', [], widget({ phase: 'up' }), 'Widget is up'],
  ['{status.gone}!', [], widget(), '!'],
  ['{lower:kind}', [], widget(), 'widget'],
  ["{status.message|'nothing said'}", [], widget(), 'nothing said'],
  ['{status.message|status.phase}', [], widget({ message: '', phase: 'up' }), 'up'],
  ['{it.reason}: {it.message}', [condition('Ready')], widget(conditions), 'Done: all good'],
  ['{condition Ready.reason} {condition Synced.reason}', [], widget(conditions), 'Done Denied'],
  ['{it.state}', [some('status.racks', compare('ready', '<', 'desired'))], widget(racks), 'Down'],
  [
    '{owner.name}: {it.message}',
    [some('status.parents', condition('Ready', [], { at: 'conditions' }))],
    widget({ parents: [{ name: 'p', ...conditions }] }),
    'p: all good',
  ],
  ['{it.why}', [matches('status.phase', /^ERROR, (?<why>.*)$/)], widget({ phase: 'ERROR, late' }), 'late'],
  [
    '{it.of}',
    [matches('status.scale', /^(?<n>\d+)\/(?<of>\d+)$/), compare('it.n', '<', 'it.of')],
    widget({ scale: '1/3' }),
    '3',
  ],
  ['{join("; "):status.racks[*].state}', [], widget(racks), 'Up; Down'],
  ['{join(", "):status.racks[state=Down].desired}', [], widget(racks), '3'],
  ['{count:status.racks[*]} of {sum:status.racks[*].desired}', [], widget(racks), '2 of 6'],
];
for (const [message, when, object, expected] of messages) {
  test(`a message: ${message}`, () =>
    assert.equal(healthOf([suspended(message, ...when)], object), `Suspended: ${expected}`));
}

const shapes: [title: string, rule: Rule, object: KubeObject, expected: string][] = [
  ['the first clause that applies', [progressing('one'), healthy('two')], widget(), 'Progressing: one'],
  ['a function without a result', [() => undefined, healthy('next')], widget(), 'Healthy: next'],
  [
    'a function with a result',
    [() => ({ status: 'Missing', message: 'gone' }), healthy('next')],
    widget(),
    'Missing: gone',
  ],
  ['no clause', [healthy('', present('status'))], widget(), 'undefined: '],
  ['by a condition that is True', byCondition('Ready', 'wait'), widget(conditions), 'Healthy: all good'],
  ['by a condition that is False', byCondition('Synced', 'wait'), widget(conditions), 'Degraded: no access'],
  ['by a condition that is absent', byCondition('Other', 'wait'), widget(conditions), 'Progressing: wait'],
  ['by word', byWord('kind', 'm', { Healthy: ['A'], Unknown: ['B', 'Widget'] }), widget(), 'Unknown: m'],
  ['by word with messages', byWordSaying('kind', { Widget: ['Degraded', 'bad'] }), widget(), 'Degraded: bad'],
  ['by colour', byColour('status.health', 'g', 'y', 'r'), widget({ health: 'yellow' }), 'Progressing: y'],
];
for (const [title, rule, object, expected] of shapes) {
  test(`a rule: ${title}`, () => assert.equal(healthOf(rule, object), expected));
}
