import assert from 'node:assert/strict';
import type { Scenarios } from './session.ts';

export const access: Scenarios = {
  async 'auth can-i knows what a service account may do'(kubectl) {
    const robot = `--as=system:serviceaccount:${kubectl.namespace}:robot`;
    await kubectl.says('yes', 'auth', 'can-i', 'create', 'deployments');
    await kubectl.ok('create', 'serviceaccount', 'robot');
    await kubectl.ok('create', 'role', 'reader', '--verb=get,list', '--resource=configmaps');
    await kubectl.ok(
      'create',
      'rolebinding',
      'robot-reads',
      '--role=reader',
      `--serviceaccount=${kubectl.namespace}:robot`,
    );
    await kubectl.says('yes', 'auth', 'can-i', 'list', 'configmaps', robot);
    const refused = await kubectl.run(['auth', 'can-i', 'delete', 'configmaps', robot]);
    assert.deepEqual([refused.exit, refused.stdout], [1, 'no\n']);
    assert.match(await kubectl.ok('get', 'cm', '-o', 'name', robot), /^(configmap\/.*\n)*$/);
    await kubectl.fails(/Forbidden.*cannot list resource "secrets"/, 'get', 'secrets', robot);
  },

  async 'auth whoami says who one is, with a token too'(kubectl) {
    // Before 1.28 it uses an API version that servers no longer have.
    if (/^v1\.2[0-7]\./.test(kubectl.version)) return;
    assert.match(await kubectl.ok('auth', 'whoami'), /^Username +\S+$/m);
    await kubectl.ok('create', 'serviceaccount', 'robot');
    const token = (await kubectl.ok('create', 'token', 'robot')).trim();
    const name = 'jsonpath={.status.userInfo.username}';
    if (!kubectl.cluster.embedded) return;
    // The administrator of the embedded cluster has a token, which a token on the command line overrides.
    await kubectl.says(
      `system:serviceaccount:${kubectl.namespace}:robot`,
      'auth',
      'whoami',
      '-o',
      name,
      `--token=${token}`,
    );
  },
};
