import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { lastAppliedAnnotation } from './last-applied.ts';
import { maskSecrets, withoutSecrets } from './mask-secrets.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (rest: object, annotations: Record<string, string> = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', annotations }, ...rest }) as KubeObject;
const dataOf = (object: KubeObject | undefined): unknown => (object as unknown as { data: unknown }).data;

test('equal values have equal masks, different ones different masks, on every side', () => {
  const live = secret({ data: { same: base64('a'), other: base64('old'), gone: base64('x') } });
  const target = secret({ stringData: { same: 'a', other: 'new' } });
  const [shownTarget, shownLive] = maskSecrets([target, live]);
  assert.deepEqual(dataOf(shownTarget), { same: '++++++++', other: '++++++++' });
  assert.deepEqual(dataOf(shownLive), { same: '++++++++', other: '++++++++++++', gone: '++++++++' });
});

test('last-applied-configuration is masked too, also if it does not parse', () => {
  const applied = JSON.stringify(secret({ stringData: { password: 'hunter2' } }));
  const live = secret({ data: { password: base64('hunter3') } }, { [lastAppliedAnnotation]: applied });
  const broken = secret({ data: {} }, { [lastAppliedAnnotation]: '{"data":{"password":"hunter2"' });
  for (const shown of maskSecrets([live, broken])) {
    const text = JSON.stringify(shown);
    assert.doesNotMatch(text, /hunter|aHVudGVy/);
    assert.match(text, /\+{8}/);
  }
});

test('annotations that the settings name are masked', () => {
  const live = secret({ data: {} }, { 'example.com/token': 'abc', plain: 'x' });
  const [shown] = maskSecrets([live], { annotations: ['example.com/token'] });
  assert.deepEqual(shown?.metadata.annotations, { 'example.com/token': '++++++++', plain: 'x' });
});

test('values that are not strings are masked, and other kinds are unchanged', () => {
  const odd = secret({ data: { n: 5, none: null } });
  assert.deepEqual(dataOf(maskSecrets([odd])[0]), { n: '++++++++', none: '++++++++' });
  const configMap = { ...secret({ data: { a: 'b' } }), kind: 'ConfigMap' };
  assert.equal(maskSecrets([configMap])[0], configMap);
  assert.deepEqual(maskSecrets([undefined]), [undefined]);
});

test('server messages about a Secret are reported without its values', () => {
  const target = secret({ stringData: { password: 'hunter2', short: 'ab' } });
  const live = secret({ data: { password: base64('hunter3-long') } });
  const said = `Invalid value: "hunter2" is not ${base64('hunter3-long')}, nor hunter3-long, nor ab`;
  assert.equal(withoutSecrets(said, target, live), 'Invalid value: "++++++++" is not ++++++++, nor ++++++++, nor ab');
  assert.equal(withoutSecrets(said, { ...target, kind: 'ConfigMap' }, undefined), said);
});
