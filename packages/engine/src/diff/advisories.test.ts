/** Published advisories of Argo CD about comparing: docs/security/advisories.md lists them with these tests. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { measureEventLoopLag } from '@fairlead/kube/testing';
import { createJq } from './jq/jq.ts';
import { lastAppliedAnnotation } from './last-applied.ts';
import { maskSecrets, withoutSecrets } from './mask-secrets.ts';

const jq = createJq({ timeMs: 1_000 });
after(() => jq.close());

for (const expression of [
  'until(true == false; [.,1])',
  'def f: f; f',
  '[range(1e12)]',
  '. as $x | [limit(1e9; repeat($x))]',
  '"x" * 1e9',
]) {
  test(`GHSA-9m6p-x4h2-6frq: the expression ${expression} is stopped, and does not block the process`, async () => {
    const lag = measureEventLoopLag();
    await assert.rejects(jq.paths(expression, { a: [1] }));
    const blocked = lag.stop();
    assert.ok(blocked < 250, `the event loop was blocked for ${blocked} ms`);
    assert.deepEqual(await jq.paths('.a', { a: 1 }), [['a']], 'the next expression is evaluated');
  });
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (rest: object, annotations: Record<string, string> = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', annotations }, ...rest }) as KubeObject;

test('GHSA-47g2-qmh2-749v GHSA-274v-mgcv-cm8j: a message about a patch of a Secret contains none of its values', () => {
  const target = secret({ stringData: { password: 'hunter2' }, data: { n: 'not base64!' } });
  const live = secret({ data: { password: base64('hunter3') } });
  const message = `unable to decode {"data":{"n":"not base64!","password":"${base64('hunter3')}"},"stringData":{"password":"hunter2"}}`;
  assert.doesNotMatch(withoutSecrets(message, target, live), /hunter|aHVudGVy|not base64/u);
});

test('GHSA-3v3m-wc6v-x4x3 GHSA-xj7v-c82w-92q2: every state of a Secret is masked, the predicted one too', () => {
  const states = [
    secret({ data: { password: base64('hunter2') } }),
    secret({ stringData: { password: 'hunter3' } }),
    // A server-side diff predicts a state that has values from neither the source nor the live object.
    secret({ data: { password: base64('hunter4'), added: base64('hunter5') } }),
  ];
  assert.doesNotMatch(JSON.stringify(maskSecrets(states)), /hunter|aHVudGVy/u);
});

test('GHSA-rg3g-4rw9-gqrp GHSA-fwr2-64vr-xv9m: annotations of a Secret that contain its values are masked', () => {
  const applied = JSON.stringify(secret({ stringData: { config: '{"bearerToken":"hunter2"}' } }));
  const live = secret({ data: {} }, { [lastAppliedAnnotation]: applied, 'example.com/token': 'hunter3' });
  const [shown] = maskSecrets([live], { annotations: ['example.com/token'] });
  assert.doesNotMatch(JSON.stringify(shown), /hunter/u);
});
