import assert from 'node:assert/strict';
import { configMap } from './manifests.ts';
import type { Scenarios } from './session.ts';

/** The commands that must work with every version of kubectl. */
export const essentials: Scenarios = {
  async 'create, apply, explain, api-resources and get'(kubectl) {
    await kubectl.says('deployment.apps/web created', 'create', 'deployment', 'web', '--image=a:1', '--replicas=0');
    assert.match(await kubectl.feed(configMap('settings', { a: '1' }), 'apply'), /created/);
    assert.match(await kubectl.feed(configMap('settings', { a: '2' }), 'apply'), /configured/);
    assert.match(
      await kubectl.feed(configMap('settings', { a: '3' }), 'apply', '--server-side', '--force-conflicts'),
      /serverside-applied/,
    );
    assert.match(await kubectl.ok('explain', 'deployment.spec.replicas'), /integer/);
    assert.match(
      await kubectl.ok('api-resources', '--api-group=apps'),
      /^deployments +deploy +apps\/v1 +true +Deployment$/m,
    );
    assert.match(await kubectl.ok('get', 'deploy,cm', '-o', 'wide'), /^deployment\.apps\/web +0\/0 /m);
    await kubectl.says('3', 'get', 'cm/settings', '-o', 'jsonpath={.data.a}');
    await kubectl.says('yes', 'auth', 'can-i', 'create', 'pods');
  },
};
