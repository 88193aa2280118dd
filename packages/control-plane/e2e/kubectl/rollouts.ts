import assert from 'node:assert/strict';
import { deployment } from './manifests.ts';
import type { Scenarios, Session } from './session.ts';

const rolledOut = async (kubectl: Session): Promise<void> =>
  assert.match(
    await kubectl.ok('rollout', 'status', 'deploy/web', '--timeout=90s'),
    /"web" successfully rolled out\n$/,
  );

const children = async (kubectl: Session): Promise<string> =>
  (await kubectl.ok('get', 'rs,pods', '-l', 'app=web', '-o', 'name')).trim();

export const rollouts: Scenarios = {
  async 'a rollout is followed, taken back and restarted'(kubectl) {
    await kubectl.says(
      'deployment.apps/web created',
      'create',
      'deployment',
      'web',
      '--image=nginx:1.26',
      '--replicas=2',
    );
    await rolledOut(kubectl);
    await kubectl.ok('set', 'image', 'deploy/web', 'nginx=nginx:1.27');
    await rolledOut(kubectl);
    assert.match(await kubectl.ok('rollout', 'history', 'deploy/web'), /\n1 +<none>\n2 +<none>\n/);
    await kubectl.says('deployment.apps/web rolled back', 'rollout', 'undo', 'deploy/web');
    await rolledOut(kubectl);
    await kubectl.says('nginx:1.26', 'get', 'deploy/web', '-o', 'jsonpath={.spec.template.spec.containers[0].image}');
    assert.match(await kubectl.ok('rollout', 'history', 'deploy/web'), /\n2 +<none>\n3 +<none>\n/);
    await kubectl.says('deployment.apps/web restarted', 'rollout', 'restart', 'deploy/web');
    await rolledOut(kubectl);
  },

  async 'scale and wait'(kubectl) {
    await kubectl.feed(deployment('web', 'nginx:1.27', 1), 'apply');
    await kubectl.says(
      'deployment.apps/web condition met',
      'wait',
      '--for=condition=Available',
      'deploy/web',
      '--timeout=90s',
    );
    await kubectl.says('deployment.apps/web scaled', 'scale', 'deploy/web', '--replicas=3', '--current-replicas=1');
    await kubectl.ok('wait', '--for=jsonpath={.status.readyReplicas}=3', 'deploy/web', '--timeout=90s');
    assert.match(await kubectl.ok('get', 'deploy/web'), /^web +3\/3 +3 +3 /m);
    await kubectl.fails(/timed out waiting/, 'wait', '--for=condition=Nope', 'deploy/web', '--timeout=1s');
    await kubectl.ok('scale', 'deploy/web', '--replicas=0');
    await kubectl.ok('wait', '--for=delete', 'pods', '-l', 'app=web', '--timeout=90s');
  },

  async 'delete in the background takes what was made for it'(kubectl) {
    await kubectl.feed(deployment('web', 'nginx:1.27'), 'apply');
    await rolledOut(kubectl);
    await kubectl.ok('delete', 'deploy/web');
    await kubectl.ok('wait', '--for=delete', 'rs,pods', '-l', 'app=web', '--timeout=90s');
    assert.equal(await children(kubectl), '');
  },

  async 'delete in the foreground ends when all of it is gone'(kubectl) {
    await kubectl.feed(deployment('web', 'nginx:1.27'), 'apply');
    await rolledOut(kubectl);
    await kubectl.ok('delete', 'deploy/web', '--cascade=foreground', '--timeout=90s');
    assert.equal(await children(kubectl), '');
  },

  async 'delete of an owner alone leaves its pods running'(kubectl) {
    await kubectl.feed(deployment('web', 'nginx:1.27'), 'apply');
    await rolledOut(kubectl);
    await kubectl.ok('delete', 'deploy/web', '--cascade=orphan');
    const owners = 'jsonpath={.items[*].metadata.ownerReferences}';
    await kubectl.says('', 'get', 'rs', '-l', 'app=web', '-o', owners);
    assert.equal((await children(kubectl)).split('\n').length, 3);
  },

  async 'a namespace goes with all that is in it'(kubectl) {
    const other = `${kubectl.namespace}-x`;
    await kubectl.ok('create', 'namespace', other);
    await kubectl.ok('create', 'configmap', 'made', '-n', other);
    await kubectl.ok('delete', 'namespace', other, '--timeout=90s');
    await kubectl.fails(/namespaces ".*-x" not found/, 'get', 'namespace', other);
  },
};
