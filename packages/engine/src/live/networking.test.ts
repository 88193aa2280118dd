import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { networkingOf } from './networking.ts';

const object = (apiVersion: string, kind: string, rest: object, annotations: Record<string, string> = {}): KubeObject =>
  ({ apiVersion, kind, metadata: { name: 'x', namespace: 'web', annotations }, ...rest }) as KubeObject;
const service = (name: string, namespace = 'web') => ({ kind: 'Service', namespace, name });

const ingress = (tls: boolean, annotations: Record<string, string> = {}): KubeObject =>
  object(
    'networking.k8s.io/v1',
    'Ingress',
    {
      spec: {
        ...(tls ? { tls: [{ hosts: ['shop.example'] }] } : {}),
        defaultBackend: { service: { name: 'fallback' } },
        rules: [
          { host: 'shop.example', http: { paths: [{ path: '/api/*', backend: { service: { name: 'api' } } }] } },
          { http: { paths: [{ path: '/', backend: { service: { name: 'api' } } }] } },
        ],
      },
      status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } },
    },
    annotations,
  );

test('an Ingress refers to services and has addresses', () => {
  assert.deepEqual(networkingOf(ingress(true)), {
    targetRefs: [service('fallback'), service('api')],
    ingress: [{ ip: '10.0.0.1' }],
    externalURLs: ['https://shop.example/api/', 'https://10.0.0.1/'],
  });
  assert.match(networkingOf(ingress(false))?.externalURLs?.[0] ?? '', /^http:/);
});

test('links of annotations are shown if they are web pages, and can replace all others', () => {
  const annotations = {
    'link.argocd.argoproj.io/docs': 'Docs|https://docs.example',
    'link.argocd.argoproj.io/bad': 'javascript:alert(1)',
    'argocd.argoproj.io/ignore-default-links': 'true',
  };
  assert.deepEqual(networkingOf(ingress(true, annotations))?.externalURLs, ['Docs|https://docs.example']);
  assert.deepEqual(networkingOf(object('v1', 'ConfigMap', {}, annotations)), {
    externalURLs: ['Docs|https://docs.example'],
  });
  assert.equal(networkingOf(object('v1', 'ConfigMap', {})), undefined);
});

const cases: [what: string, object: KubeObject, expected: object][] = [
  [
    'a Service',
    object('v1', 'Service', {
      spec: { selector: { app: 'a' }, type: 'LoadBalancer' },
      status: { loadBalancer: { ingress: [{ hostname: 'lb' }] } },
    }),
    { targetLabels: { app: 'a' }, ingress: [{ hostname: 'lb' }] },
  ],
  [
    'a VirtualService',
    object('networking.istio.io/v1', 'VirtualService', {
      spec: { http: [{ route: [{ destination: { host: 'a.other.svc' } }, { destination: { host: 'b' } }] }] },
    }),
    { targetRefs: [service('a', 'other'), service('b')] },
  ],
  [
    'a route',
    object('gateway.networking.k8s.io/v1', 'HTTPRoute', {
      spec: { parentRefs: [{ name: 'g' }], rules: [{ backendRefs: [{ name: 's' }] }] },
    }),
    {
      targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'web', name: 'g' }, service('s')],
    },
  ],
  [
    'a Gateway',
    object('gateway.networking.k8s.io/v1', 'Gateway', {
      spec: {
        listeners: [
          { protocol: 'HTTPS', port: 443, hostname: 'a.example' },
          { protocol: 'HTTP', port: 8080 },
        ],
      },
      status: { addresses: [{ value: '10.0.0.2' }] },
    }),
    { ingress: [{ ip: '10.0.0.2' }], externalURLs: ['https://a.example', 'http://10.0.0.2:8080'] },
  ],
];
for (const [what, one, expected] of cases)
  test(`networking information of ${what}`, () => assert.deepEqual(networkingOf(one), expected));
