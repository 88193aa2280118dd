import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startNeighbour } from '@fairlead/kube/testing';
import { startTenants, type Tenants, until } from '../support/tenants.ts';

let tenants: Tenants;
before(async () => {
  tenants = await startTenants();
  await tenants.addProject('hostile');
});
after(() => tenants.close());

const configMap = (name: string, data: string): Record<string, string> => ({
  'a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: ${data}\n`,
});
/** A field that differs, so that the expression decides. */
const ignoring = (expression: string): object => ({
  ignoreDifferences: [{ group: '', kind: 'ConfigMap', jqPathExpressions: [expression] }],
});

async function attack(name: string, spec: object, data: string, honest: object): Promise<void> {
  const urls: string[] = [];
  for (let n = 0; n < 12; n += 1)
    urls.push((await tenants.addRepository(`${name}-${n}`, configMap(`${name}-${n}`, data))).url);
  const neighbour = await startNeighbour(() => tenants.deliveryMs(`honest-${name}`, honest));
  for (const [n, repoURL] of urls.entries()) await tenants.addApplication('hostile', `${name}-${n}`, { repoURL }, spec);
  await until(async () => tenants.scripts() > 0);
  await neighbour.assertUnaffected();
}

test('jq expressions that never end do not delay a commit of another tenant', () =>
  attack('jq', ignoring('last(repeat(.))'), '{a: "1"}', ignoring('.data.none')));

test('objects for which a health script takes long do not delay a commit of another tenant', async () => {
  await tenants.configure({
    'resource.customizations.health.ConfigMap': `
      local n = tonumber((obj.data or {}).loops or "1")
      for i = 1, n do for j = 1, n do for k = 1, n do local x = i * j * k end end end
      return {status = "Healthy", message = "looped"}`,
  });
  await attack('lua', {}, '{loops: "100000"}', {});
  const healthOf = async (name: string) => (await tenants.application(name)).status?.resources?.[0]?.health?.status;
  await until(async () => (await healthOf('lua-0')) === 'Unknown');
  assert.equal(await healthOf('honest-lua'), 'Healthy');
});
