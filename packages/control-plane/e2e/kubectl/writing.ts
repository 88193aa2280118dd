import assert from 'node:assert/strict';
import { configMap, deployment } from './manifests.ts';
import { manifestText, type Scenarios } from './session.ts';

export const writing: Scenarios = {
  async 'apply creates, leaves alone and configures'(kubectl) {
    const outcome = async (data: Record<string, string>) =>
      (await kubectl.feed(configMap('settings', data), 'apply')).trim();
    assert.equal(await outcome({ a: '1', b: '2' }), 'configmap/settings created');
    assert.equal(await outcome({ a: '1', b: '2' }), 'configmap/settings unchanged');
    assert.equal(await outcome({ a: '3' }), 'configmap/settings configured');
    await kubectl.says('{"a":"3"}', 'get', 'cm/settings', '-o', 'jsonpath={.data}');
    const unknown = { ...configMap('other', {}), dtaa: {} };
    const { exit, stderr } = await kubectl.run(['apply', '-f', '-'], { stdin: manifestText(unknown) });
    assert.equal(exit, 1);
    assert.match(stderr, /unknown field "dtaa"/);
  },

  async 'apply on the server has owners, and conflicts between them'(kubectl) {
    const apply = ['apply', '--server-side', '-f', '-'];
    const as = (manager: string, value: string, ...more: string[]) =>
      kubectl.run([...apply, `--field-manager=${manager}`, ...more], {
        stdin: manifestText(configMap('shared', { a: value })),
      });
    assert.match((await as('one', '1')).stdout, /configmap\/shared serverside-applied/);
    const refused = await as('two', '2');
    assert.equal(refused.exit, 1);
    assert.match(refused.stderr, /conflict with "one": \.data\.a/);
    assert.equal((await as('two', '2', '--force-conflicts')).exit, 0);
    const managers = 'jsonpath={.metadata.managedFields[*].manager}';
    await kubectl.says('two', 'get', 'cm/shared', '--show-managed-fields', '-o', managers);
  },

  async 'apply moves from client to server'(kubectl) {
    await kubectl.feed(configMap('moved', { a: '1', b: '2' }), 'apply');
    await kubectl.feed(configMap('moved', { a: '1' }), 'apply', '--server-side');
    await kubectl.says('{"a":"1"}', 'get', 'cm/moved', '-o', 'jsonpath={.data}');
  },

  async 'diff shows what apply would change'(kubectl) {
    const diff = (value: string, ...more: string[]) =>
      kubectl.run(['diff', ...more, '-f', '-'], { stdin: manifestText(configMap('settings', { a: value })) });
    await kubectl.feed(configMap('settings', { a: '1' }), 'apply');
    assert.deepEqual(await diff('1'), { exit: 0, stdout: '', stderr: '' });
    for (const more of [[], ['--server-side', '--force-conflicts']]) {
      const changed = await diff('2', ...more);
      assert.equal(changed.exit, 1, changed.stderr);
      assert.match(changed.stdout, /^- {2}a: "1"\n\+ {2}a: "2"$/m);
    }
    await kubectl.says('1', 'get', 'cm/settings', '-o', 'jsonpath={.data.a}');
  },

  async 'patch takes every kind of patch'(kubectl) {
    await kubectl.feed(deployment('web', 'a:1', 0), 'apply');
    const patch = (type: string, body: object, ...more: string[]) =>
      kubectl.ok('patch', 'deploy/web', `--type=${type}`, '-p', JSON.stringify(body), ...more);
    const template = (containers: object[]) => ({ spec: { template: { spec: { containers } } } });
    await patch('strategic', template([{ name: 'side', image: 'b:1' }]));
    await kubectl.says('side main', 'get', 'deploy/web', '-o', 'jsonpath={.spec.template.spec.containers[*].name}');
    await patch('merge', template([{ name: 'main', image: 'c:1' }]));
    await kubectl.says('c:1', 'get', 'deploy/web', '-o', 'jsonpath={.spec.template.spec.containers[*].image}');
    const image = '/spec/template/spec/containers/0/image';
    await patch('json', [
      { op: 'test', path: image, value: 'c:1' },
      { op: 'replace', path: image, value: 'd:1' },
    ]);
    await kubectl.says('d:1', 'get', 'deploy/web', '-o', 'jsonpath={.spec.template.spec.containers[*].image}');
    await kubectl.says('deployment.apps/web patched (no change)', 'patch', 'deploy/web', '-p', '{}');
    const failing = JSON.stringify([{ op: 'test', path: image, value: 'c:1' }]);
    await kubectl.fails(/The request is invalid/, 'patch', 'deploy/web', '--type=json', '-p', failing);
  },

  async 'edit opens the object in an editor and sends what was saved'(kubectl) {
    await kubectl.feed(configMap('settings', { mode: 'slow' }), 'apply');
    const edit = (editor: string) => kubectl.run(['edit', 'cm/settings'], { env: { KUBE_EDITOR: editor } });
    assert.match((await edit('sed -i s/slow/fast/')).stdout, /configmap\/settings edited/);
    await kubectl.says('fast', 'get', 'cm/settings', '-o', 'jsonpath={.data.mode}');
    assert.match((await edit('true')).stderr, /Edit cancelled, no changes made/);
  },

  async 'create, label, annotate, set and replace'(kubectl) {
    await kubectl.says('deployment.apps/web created', 'create', 'deployment', 'web', '--image=a:1', '--replicas=0');
    await kubectl.fails(/already exists/, 'create', 'deployment', 'web', '--image=a:1');
    await kubectl.says('deployment.apps/web labeled', 'label', 'deploy/web', 'tier=front');
    assert.match(await kubectl.ok('annotate', 'deploy/web', 'note=hello'), /^deployment\.apps\/web annotated?\n$/);
    await kubectl.says('deployment.apps/web image updated', 'set', 'image', 'deploy/web', 'a=a:2');
    await kubectl.says('deployment.apps/web env updated', 'set', 'env', 'deploy/web', 'MODE=fast');
    await kubectl.says('service/web exposed', 'expose', 'deploy/web', '--port=80');
    await kubectl.says('secret/made created', 'create', 'secret', 'generic', 'made', '--from-literal=a=1');
    assert.match(await kubectl.feed(configMap('made', { a: '1' }), 'create'), /configmap\/made created/);
    assert.match(await kubectl.feed(configMap('made', { a: '2' }), 'replace'), /configmap\/made replaced/);
  },
};
