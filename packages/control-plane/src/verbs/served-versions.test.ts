import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, widget } from '@fairlead/apimachinery/testing';
import type { Draft, Resource } from '../resource.ts';
import { conversionAmong } from './served-versions.ts';

type Served = Pick<Resource, 'group' | 'version' | 'storage' | 'schema' | 'convert'>;

const draft = (object: object): Draft => object as Draft;
const kept: Served = { group: 'g', version: 'v2', storage: 'g/xs', schema: configMap };
/** The same data under another name. */
const old: Served = {
  group: 'g',
  version: 'v1',
  storage: 'g/xs',
  schema: widget,
  convert: {
    toStorage: ({ spec, ...rest }) => draft({ ...rest, apiVersion: 'g/v2', data: (spec as { map: object }).map }),
    fromStorage: ({ data, ...rest }) => draft({ ...rest, apiVersion: 'g/v1', spec: { map: data } }),
  },
};
const others: Served = { ...kept, storage: 'g/ys', version: 'v1' };

test('objects are converted through the storage version, with the schema of the target version', () => {
  const served = () => [others, kept, old];
  const object = { apiVersion: 'g/v2', kind: 'X', metadata: { name: 'x' }, data: { a: '1' } };
  const before = structuredClone(object);
  const inOld = conversionAmong(kept, served)(object, 'g/v1');
  assert.deepEqual(inOld?.object, {
    apiVersion: 'g/v1',
    kind: 'X',
    metadata: { name: 'x' },
    spec: { map: { a: '1' } },
  });
  assert.equal(inOld?.schema, widget);
  assert.deepEqual(conversionAmong(old, served)(inOld!.object, 'g/v2')?.object, object);
  assert.deepEqual(object, before);
});

test('a version that is not served has no conversion, and the empty object needs none', () => {
  const convert = conversionAmong(kept, () => [kept, old]);
  assert.equal(convert({ apiVersion: 'g/v2', metadata: {} }, 'g/v0'), undefined);
  assert.deepEqual(convert({}, 'g/v1'), { object: {}, schema: widget });
});
