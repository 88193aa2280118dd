import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { create, findings, type HarnessResult, update } from '../../../../test/support/kind-harness.ts';
import type { Draft } from '../../../resource.ts';
import { serviceRules } from './index.ts';

const service = (spec: object, name = 's') => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
const port = { port: 80 };
const tiny = serviceRules({ serviceNetwork: '10.9.0.0/29', nodePorts: { first: 100, last: 102 } });
const beside = (...stored: object[]) => ({ stored: { 'core/services': stored } });

function refusal(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error;
  }
  return assert.fail('it was accepted');
}

test('a Service gets an address, a family and its ports filled in', () => {
  const { object, errors } = create(service({ ports: [port] }));
  assert.deepEqual(errors, []);
  const { clusterIP, ...spec } = object.spec;
  assert.match(String(clusterIP), /^10\.0\.0\.\d+$/);
  assert.deepEqual(spec, {
    ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    clusterIPs: [clusterIP],
    type: 'ClusterIP',
    sessionAffinity: 'None',
    internalTrafficPolicy: 'Cluster',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
  });
});

test('addresses are unique, and an exhausted range refuses the next Service', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const stored: Draft[] = [];
      for (let index = 0; index < 6; index += 1) {
        stored.push(
          create(service({ ports: [port] }, `s${index}`), { ...beside(...stored), rules: tiny, seed }).object,
        );
      }
      const addresses = stored.map((each) => (each['spec'] as { clusterIP: string }).clusterIP);
      assert.equal(new Set(addresses).size, 6);
      assert.ok(addresses.every((address) => /^10\.9\.0\.[1-6]$/.test(address)));
      const full = refusal(() => create(service({ ports: [port] }, 'x'), { ...beside(...stored), rules: tiny }));
      assert.match(full.message, /range is full/);
      assert.equal(full.code, 500);
    }),
    { numRuns: 20 },
  );
});

test('a Service that needs neither address nor port does not read the others', () => {
  const untouched = {
    stored: {
      get 'core/services'(): object[] {
        return assert.fail('all services were read');
      },
    },
  };
  assert.deepEqual(create(service({ clusterIP: 'None', ports: [port] }), untouched).errors, []);
  assert.throws(() => create(service({ ports: [port] }), untouched), /all services were read/);
});

test('an address that is allocated or out of range cannot be requested', () => {
  const first = create(service({ clusterIP: '10.0.0.9', ports: [port] }, 'a')).object;
  const taken = refusal(() => create(service({ clusterIP: '10.0.0.9', ports: [port] }), beside(first)));
  assert.match(taken.message, /spec.clusterIPs: .*failed to allocate IP 10.0.0.9: provided IP is already allocated/);
  const outside = refusal(() => create(service({ clusterIP: '10.1.0.9', ports: [port] })));
  assert.match(outside.message, /the provided network does not match the current range/);
  const edge = refusal(() => create(service({ clusterIP: '10.0.0.255', ports: [port] })));
  assert.match(edge.message, /is not in the valid range/);
});

test('ports with one number share a node port; others each have their own', () => {
  const ports = [
    { name: 'tcp', port: 53 },
    { name: 'udp', port: 53, protocol: 'UDP' },
    { name: 'web', port: 80 },
  ];
  const { object } = create(service({ type: 'NodePort', ports }), { rules: tiny });
  const [tcp, udp, web] = (object.spec['ports'] as { nodePort: number }[]).map(({ nodePort }) => nodePort);
  assert.equal(tcp, udp);
  assert.notEqual(tcp, web);
});

test('a load balancer with externalTrafficPolicy Local has a health check port', () => {
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [port] };
  const { object } = create(service(spec));
  assert.ok(Number(object.spec['healthCheckNodePort']) >= 30_000);
  const cluster = update(object, (next) => {
    next.spec['externalTrafficPolicy'] = 'Cluster';
  });
  assert.deepEqual(cluster.errors, []);
  assert.equal(cluster.object.spec['healthCheckNodePort'], undefined);
});

test('allocated fields that a client omits on an update are kept', () => {
  const { object } = create(service({ type: 'NodePort', ports: [port] }));
  const next = update(object, (draft) => {
    draft.spec = { type: 'NodePort', ports: [{ port: 81 }] };
  });
  assert.deepEqual(next.errors, []);
  assert.equal(next.object.spec['clusterIP'], object.spec['clusterIP']);
  const nodePort = (result: HarnessResult['object']) => (result.spec['ports'] as { nodePort: number }[])[0]?.nodePort;
  assert.equal(nodePort(next.object), nodePort(object));
});

test('a change of type removes the fields that the new type does not have', () => {
  const { object } = create(service({ type: 'LoadBalancer', ports: [port] }));
  const plain = update(object, ({ spec }) => {
    spec['type'] = 'ClusterIP';
  });
  assert.deepEqual(plain.errors, []);
  assert.deepEqual(Object.keys(plain.object.spec).sort(), [
    'clusterIP',
    'clusterIPs',
    'internalTrafficPolicy',
    'ipFamilies',
    'ipFamilyPolicy',
    'ports',
    'sessionAffinity',
    'type',
  ]);
  const named = update(plain.object, ({ spec }) => {
    Object.assign(spec, { type: 'ExternalName', externalName: 'a.example.com' });
  });
  assert.deepEqual(named.errors, []);
  assert.equal(named.object.spec['clusterIP'], undefined);
});

test('an address does not change once it is set', () => {
  const { object } = create(service({ ports: [port] }));
  const moved = update(object, ({ spec }) => {
    spec['clusterIP'] = '10.0.0.200';
  });
  assert.deepEqual(findings(moved), ['Invalid spec.clusterIPs[0]']);
});

test('headless Services without a selector have both families', () => {
  const { object } = create(service({ clusterIP: 'None' }));
  assert.deepEqual(object.spec['ipFamilies'], ['IPv4', 'IPv6']);
  assert.equal(object.spec['ipFamilyPolicy'], 'RequireDualStack');
});

const mistakes: [string, object, string[]][] = [
  ['no ports', {}, ['Required spec.ports']],
  [
    'two ports without names',
    { ports: [port, { port: 81 }] },
    ['Required spec.ports[0].name', 'Required spec.ports[1].name'],
  ],
  ['a port out of range', { ports: [{ port: 0, targetPort: 'x' }] }, ['Invalid spec.ports[0].port']],
  ['an unknown protocol', { ports: [{ port: 1, protocol: 'X' }] }, ['NotSupported spec.ports[0].protocol']],
  ['no external name', { type: 'ExternalName' }, ['Required spec.externalName']],
  ['a bad selector', { ports: [port], selector: { a: 'b c' } }, ['Invalid spec.selector']],
  ['a loopback address', { ports: [port], externalIPs: ['127.0.0.1'] }, ['Invalid spec.externalIPs[0]']],
  [
    'local traffic without exposure',
    { ports: [port], externalTrafficPolicy: 'Local' },
    ['Invalid spec.externalTrafficPolicy'],
  ],
  [
    'a class without a load balancer',
    { ports: [port], loadBalancerClass: 'a/b' },
    ['Forbidden spec.loadBalancerClass'],
  ],
  ['an unknown distribution', { ports: [port], trafficDistribution: 'X' }, ['NotSupported spec.trafficDistribution']],
  [
    'one port twice',
    {
      ports: [
        { name: 'a', ...port },
        { name: 'b', ...port },
      ],
    },
    ['Duplicate spec.ports[1]'],
  ],
];
for (const [what, spec, expected] of mistakes) {
  test(`${what}: ${expected.join(', ')}`, () => assert.deepEqual(findings(create(service(spec))), expected));
}

test('dual stack is refused in a single-stack cluster', () => {
  const error = refusal(() => create(service({ ports: [port], ipFamilyPolicy: 'RequireDualStack' })));
  assert.match(error.message, /this cluster is not configured for dual-stack services/);
});

test('the status of a load balancer is validated, and valid for load balancers only', () => {
  const { object } = create(service({ type: 'LoadBalancer', ports: [port] }));
  const status = (ingress: object[]) =>
    update(object, (next) => Object.assign(next, { status: { loadBalancer: { ingress } } }), { subresource: 'status' });
  assert.deepEqual(findings(status([{ ip: '1.2.3.4' }])), []);
  assert.deepEqual(findings(status([{ ip: 'x' }, { hostname: '1.2.3.4' }])), [
    'Invalid status.loadBalancer.ingress[0].ip',
    'Invalid status.loadBalancer.ingress[1].hostname',
  ]);
});

test('deprecated and ignored fields give a warning', () => {
  const { warnings } = create(service({ ports: [port], externalIPs: ['1.2.3.4'], trafficDistribution: 'PreferClose' }));
  assert.deepEqual(warnings, [
    'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ]);
});
