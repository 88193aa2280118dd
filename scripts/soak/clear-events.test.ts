import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventType, type KubeObject, namespaceType } from '@fairlead/apimachinery';
import { startControlPlane } from '@fairlead/control-plane';
import { accessOf, HttpClient, parseKubeconfig } from '@fairlead/kube';
import { clearEvents } from './clear-events.ts';

const event = (namespace: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { namespace, name: 'one' },
  ...{ involvedObject: { kind: 'ConfigMap', namespace, name: 'one' }, reason: 'Test', type: 'Normal' },
});

test('events of all namespaces are deleted over HTTP', async (t) => {
  const plane = await startControlPlane();
  t.after(() => plane.close());
  const http = new HttpClient((await accessOf(parseKubeconfig(plane.kubeconfig(), 'embedded'))).client);
  await http.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
  for (const namespace of ['default', 'other']) await http.create(eventType, event(namespace));
  assert.equal((await http.list(eventType)).items.length, 2);
  await clearEvents([http, http]);
  assert.equal((await http.list(eventType)).items.length, 0);
  await plane.close();
  await clearEvents([http]);
  await http.close();
});
