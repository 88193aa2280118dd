/** A policy is read or is a `PolicyError`; a denial of everything is never overruled, and deciding takes bounded time. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { PolicyEvaluator } from '../../src/rbac/evaluator.ts';
import type { MatchMode } from '../../src/rbac/pattern.ts';
import { joinPolicies, parsePolicy } from '../../src/rbac/policy.ts';
import { PolicyError } from '../../src/rbac/policy-line.ts';
import { checkPolicy } from '../../src/rbac/validate-policy.ts';

const words = [
  ...'p g , role:admin role:x ann applications * sync get */* default/shop allow deny # " "" \\ [a-z] {a,b} ( ( a+)+ ?'.split(
    ' ',
  ),
  '\n',
  '\t',
  '\u0085',
  '\ufeff',
];
const seeds = [
  'p, role:x, applications, sync, default/*, allow\ng, ann, role:x\n# comment\np, ann, applications, "*", "default/sh""op", deny\n',
  'g, ann, role:a\ng, role:a, role:b\ng, role:b, role:a\np, role:b, *, *, *, allow',
];

export const target = fuzzTarget({
  inputs: fc.record({
    policy: fc.oneof(mutated(seeds, words), wordsOf(words, 25), anyText),
    mode: fc.constantFrom('glob', 'regex'),
    subject: fc.oneof(fc.constantFrom('ann', 'role:x', ''), anyText),
    object: fc.oneof(fc.constantFrom('default/shop', '*/*', ''), anyText),
  }),
  check(input: {
    readonly policy: string;
    readonly mode: MatchMode;
    readonly subject: string;
    readonly object: string;
  }) {
    const policy = unlessRefused([PolicyError], () => parsePolicy(input.policy));
    assert.equal('problem' in checkPolicy(input.policy), policy === undefined);
    if (!policy) return;
    const request = { resource: 'applications', action: 'sync', object: input.object };
    new PolicyEvaluator(policy, input.mode).allows(input.subject, request);
    const all = input.mode === 'glob' ? '*' : '.*';
    const denial = { subject: input.subject, resource: all, action: all, object: all, effect: 'deny' };
    const denied = new PolicyEvaluator(joinPolicies(policy, { permissions: [denial], groupings: [] }), input.mode);
    // A regular expression does not cross line breaks.
    if (!/[\n\r]/u.test(input.object) || input.mode === 'glob')
      assert.equal(denied.allows(input.subject, request), false);
  },
});
