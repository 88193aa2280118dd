import { after, before, test } from 'node:test';
import { startNeighbour } from '@fairlead/kube/testing';
import { startTenants, type Tenants, until } from '../support/tenants.ts';

let tenants: Tenants;
before(async () => {
  tenants = await startTenants();
});
after(() => tenants.close());

/** Takes far longer than any time limit. */
const looping = (n: number): Record<string, string> => ({
  'Chart.yaml': 'apiVersion: v2\nname: loop\nversion: 1.0.0\n',
  'templates/a.yaml': `# ${n}\n${'{{ $x := genCA "a" 1 }}'.repeat(5_000)}`,
});

test('twelve charts that loop do not delay a commit of another tenant', async () => {
  await tenants.addProject('hostile');
  const urls: string[] = [];
  for (let n = 0; n < 12; n += 1) urls.push((await tenants.addRepository(`loop-${n}`, looping(n))).url);
  const neighbour = await startNeighbour(() => tenants.deliveryMs('honest'));
  for (const [n, repoURL] of urls.entries()) await tenants.addApplication('hostile', `loop-${n}`, { repoURL });
  await until(async () => tenants.rendering() > 0);
  await neighbour.assertUnaffected(() => tenants.rendering() > 0);
});
