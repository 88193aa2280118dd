import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../../../test/support/workload-harness.ts';

for (const [title, given, expected] of [
  [
    'an unknown policy',
    { dnsPolicy: 'Mine' },
    [
      'spec.dnsPolicy: Unsupported value: "Mine": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ],
  ],
  [
    'no policy and no server',
    { dnsPolicy: 'None' },
    ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
  ],
  [
    'a server by name',
    { dnsConfig: { nameservers: ['dns.example'] } },
    [
      'spec.dnsConfig.nameservers[0]: Invalid value: "dns.example": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
  ],
  [
    'four servers',
    { dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] } },
    [
      'spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","1.1.1.4"]: must not have more than 3 nameservers',
    ],
  ],
  [
    'a domain with blanks',
    { dnsConfig: { searches: ['a b'] } },
    [
      "spec.dnsConfig.searches[0]: Invalid value: \"a b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'an option without a name',
    { dnsConfig: { options: [{ value: '1' }] } },
    ['spec.dnsConfig.options[0]: Required value: must not be empty'],
  ],
  [
    'an alias of no address',
    { hostAliases: [{ ip: 'x', hostnames: ['a'] }] },
    ['spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  [
    'an alias of a bad name',
    { hostAliases: [{ ip: '1.1.1.1', hostnames: ['a b'] }] },
    [
      "spec.hostAliases[0].hostnames[0]: Invalid value: \"a b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  ['a bad subdomain', { subdomain: 'a.b' }, ['spec.subdomain: Invalid value: "a.b": must not contain dots']],
  [
    'two ways to name its host',
    { hostnameOverride: 'a.b', hostNetwork: true },
    ['spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true'],
  ],
] as const) {
  test(`a pod with ${title}`, () => assert.deepEqual(problemsOf({ spec: given }), expected));
}
