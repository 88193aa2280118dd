import assert from 'node:assert/strict';
import { configMap, deployment } from './manifests.ts';
import type { Scenarios } from './session.ts';

export const reading: Scenarios = {
  async 'get shows tables, objects and fields'(kubectl) {
    await kubectl.feed([configMap('one', { a: '1' }), configMap('two', { b: '2', c: '3' })], 'apply');
    assert.match(await kubectl.ok('get', 'cm', 'two'), /^NAME +DATA +AGE\ntwo +2 +\d+s\n$/);
    const { items } = JSON.parse(await kubectl.ok('get', 'cm', 'one', 'two', '-o', 'json')) as { items: unknown[] };
    assert.equal(items.length, 2);
    await kubectl.says('3', 'get', 'cm/two', '-o', 'jsonpath={.data.c}');
    assert.match(await kubectl.ok('get', 'cm', '-o', 'name', '--chunk-size=1'), /configmap\/one\nconfigmap\/two\n/);
    await kubectl.fails(/NotFound.*configmaps "three" not found/, 'get', 'cm', 'three');
  },

  async 'get -w follows what happens'(kubectl) {
    await kubectl.feed(configMap('first', { a: '1' }), 'apply');
    const watching = kubectl.start([
      'get',
      'cm',
      '-w',
      '--output-watch-events',
      '--field-selector=metadata.name!=kube-root-ca.crt',
    ]);
    await watching.speaking;
    await kubectl.ok('create', 'configmap', 'second', '--from-literal=a=1');
    await kubectl.ok('patch', 'cm', 'second', '--type=merge', '-p', '{"data":{"b":"2"}}');
    await kubectl.ok('delete', 'cm', 'second');
    await new Promise((resolve) => setTimeout(resolve, 300));
    watching.process.kill('SIGTERM');
    const lines = (await watching.result).stdout.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => line.split(/ +/).slice(0, 3).join(' ')),
      ['EVENT NAME DATA', 'ADDED first 1', 'ADDED second 1', 'MODIFIED second 2', 'DELETED second 2'],
    );
  },

  async 'explain describes built-in kinds'(kubectl) {
    const text = await kubectl.ok('explain', 'deployment.spec.strategy');
    assert.match(
      text,
      /GROUP: +apps\n(.*\n)*FIELD: strategy <DeploymentStrategy>\n(.*\n)* {2}rollingUpdate\t<RollingUpdateDeployment>/,
    );
    assert.match(await kubectl.ok('explain', 'pod', '--recursive'), / {4}containers\t<\[\]Container> -required-\n/);
    await kubectl.fails(/field "nope" does not exist/, 'explain', 'pod.nope');
  },

  async 'api-resources lists what is served'(kubectl) {
    const text = await kubectl.ok('api-resources');
    for (const line of [/^pods +po +v1 +true +Pod$/m, /^deployments +deploy +apps\/v1 +true +Deployment$/m]) {
      assert.match(text, line);
    }
    assert.match(await kubectl.ok('api-versions'), /^apps\/v1$/m);
    assert.match(await kubectl.ok('version', '-o', 'json'), /"serverVersion": \{\s+"major": "1"/);
  },

  async 'describe, logs and events show a pod'(kubectl) {
    await kubectl.feed(deployment('web', 'nginx:1.27', 1), 'apply');
    await kubectl.ok('rollout', 'status', 'deploy/web', '--timeout=90s');
    const pod = (await kubectl.ok('get', 'pods', '-l', 'app=web', '-o', 'name')).trim();
    const described = await kubectl.ok('describe', pod);
    for (const words of [
      /^Status: +Running$/m,
      /^Controlled By: +ReplicaSet\/web-/m,
      /Normal +Scheduled .*default-scheduler/,
      /Normal +Pulled .*nginx:1\.27/,
    ]) {
      assert.match(described, words);
    }
    assert.match(
      await kubectl.ok('describe', 'deploy/web'),
      /Normal +ScalingReplicaSet .*Scaled up replica set web-\w+ from 0 to 1/,
    );
    assert.match(await kubectl.ok('events', '--for', pod), /Normal +Started +Pod\/web-/);
    assert.match(await kubectl.ok('get', 'events', '--field-selector', 'reason=Scheduled'), / Scheduled +pod\/web-/);
    if (!kubectl.cluster.embedded) return;
    const log = await kubectl.ok('logs', 'deploy/web');
    assert.match(log, /^\[synthetic\] /);
    assert.equal((await kubectl.ok('logs', pod, '--tail=1', '--timestamps')).trim().split('\n').length, 1);
    await kubectl.fails(/pods\/exec is not supported/, 'exec', pod, '--', 'ls');
  },
};
