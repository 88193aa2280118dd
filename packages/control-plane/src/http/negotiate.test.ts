import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@fairlead/apimachinery';
import { negotiate } from './negotiate.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

test('the best media type that can be served wins', () => {
  assert.deepEqual(negotiate(undefined), { format: 'json' });
  assert.deepEqual(negotiate('*/*'), { format: 'json' });
  assert.deepEqual(negotiate('application/yaml'), { format: 'yaml' });
  assert.deepEqual(negotiate('text/html, application/json;q=0.5'), { format: 'json' });
  assert.deepEqual(negotiate('application/json;q=0.1, application/yaml'), { format: 'yaml' });
  assert.deepEqual(negotiate('application/vnd.kubernetes.protobuf,application/json'), { format: 'json' });
  assert.deepEqual(negotiate(`${table},application/json`), {
    format: 'json',
    as: { kind: 'Table', version: 'meta.k8s.io/v1' },
  });
  assert.deepEqual(negotiate('application/json;as=Table;v=v2;g=meta.k8s.io,application/json'), { format: 'json' });
});

test('a media type that cannot be served is refused with 406', () => {
  for (const accept of ['text/html', 'application/json;as=Nonsense;v=v1;g=meta.k8s.io', 'application/json;q=0']) {
    assert.throws(
      () => negotiate(accept),
      (error: unknown) => error instanceof ApiError && error.code === 406,
      accept,
    );
  }
});
