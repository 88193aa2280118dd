import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureEventLoopLag } from '@fairlead/kube/testing';
import { isNamespaceNamed, namespacePatternProblem } from './application-namespaces.ts';

const cases: [pattern: string, namespace: string, named: boolean][] = [
  ['/team-[ab]/', 'my-team-b', true],
  ['/^team-[ab]$/', 'my-team-b', false],
  ['/^((?!kube-).)*$/', 'kube-system', false],
  ['/^((?!kube-).)*$/', 'web', true],
  ['/(?<=team-)a/', 'team-a', true],
  ['/^(a+)-\\1$/', 'aa-aa', true],
];
for (const [pattern, namespace, named] of cases) {
  test(`${pattern} ${named ? 'names' : 'does not name'} ${namespace}`, () => {
    assert.equal(isNamespaceNamed([pattern], namespace), named);
  });
}

test('an invalid expression matches no namespace, and is reported', () => {
  assert.equal(isNamespaceNamed(['/(/'], '('), false);
  assert.match(namespacePatternProblem('/(/') ?? '', /Unterminated group/);
});

for (const pattern of ['/^(a+)+$/', '/^(?!x)(a+)+$/', '/^(a|a)*(?=b)$/']) {
  test(`${pattern} does not block the event loop`, async () => {
    const lag = measureEventLoopLag();
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (let i = 0; i < 20; i += 1) assert.equal(isNamespaceNamed([pattern], `${'a'.repeat(62)}${i}!`), false);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const longest = lag.stop();
    assert.ok(longest <= 250, `the event loop was blocked for ${longest} ms`);
  });
}
