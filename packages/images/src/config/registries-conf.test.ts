import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRegistriesConf } from './registries-conf.ts';

test('values are strings, also if YAML would read a number or a boolean', () => {
  const [one, two] = parseRegistriesConf(`registries:
- name: 1.10
  api_url: https://one.test
  prefix: &prefix 0x10
  ca_data: y
  defaultns: "on"
  insecure: yes
- name: two
  api_url: https://two.test
  prefix: two.test
  credentials: *prefix
  ca_data: |
    first
    second
`);
  assert.deepEqual(
    [one!.name, one!.prefix, one!.caData, one!.defaultNamespace, one!.insecure],
    ['1.10', '0x10', 'y', 'on', true],
  );
  assert.deepEqual([two!.credentials, two!.caData, two!.caFile], ['0x10', 'first\nsecond\n', '']);
});
