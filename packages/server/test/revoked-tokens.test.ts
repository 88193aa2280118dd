/** Sessions that were ended, in a ConfigMap that replicas share. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ConfigMap, configMapType } from '@fairlead/apimachinery';
import { limits, silentLogger, systemClock, systemRandom } from '@fairlead/kube';
import { RevokedTokens, revokedTokensName } from '../src/state/revoked-tokens.ts';
import { ServerState } from '../src/state/server-state.ts';
import { type Installation, namespace, startInstallation } from './support/installation.ts';

let installation: Installation;
const stop = new AbortController();

before(async () => {
  installation = await startInstallation();
});
after(async () => {
  stop.abort();
  await installation.close();
});

async function replica(): Promise<RevokedTokens> {
  const shared = { clock: systemClock, random: systemRandom, log: silentLogger };
  const state = new ServerState({ client: installation.client, namespace, ...shared, allNamespaces: false });
  await state.start(stop.signal);
  return new RevokedTokens(state);
}

const stored = async (): Promise<Record<string, string>> =>
  (await installation.client.get<ConfigMap>(configMapType, { namespace, name: revokedTokensName })).data ?? {};

test('a user cannot displace the revocations of others, expired ones go, and replicas do not overwrite each other', async () => {
  const [one, other] = [await replica(), await replica()];
  const until = Date.now() + 600_000;
  await one.add({ id: 'of-alice', user: 'alice', until });
  await Promise.all([
    one.add({ id: 'at-one', user: 'bob', until }),
    other.add({ id: 'at-other', user: 'carol', until }),
  ]);
  for (const id of ['of-alice', 'at-one', 'at-other']) assert.equal(one.has(id), true, id);
  await one.add({ id: 'expired', user: 'alice', until: Date.now() - 1 });
  assert.equal(one.has('expired'), false);
  for (let i = 0; i < limits.revokedTokensPerUser + 10; i++) {
    await one.add({ id: `mallory-${i}`, user: 'mallory', until: until + 1_000 });
  }
  assert.equal((await replica()).has('of-alice'), true);
  assert.ok(Object.keys(await stored()).length <= limits.revokedTokensPerUser + 3);
});
