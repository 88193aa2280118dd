import assert from 'node:assert/strict';
import { boats } from './manifests.ts';
import type { Scenarios } from './session.ts';

export const customResources: Scenarios = {
  async 'a definition brings a kind with all its verbs'(kubectl) {
    const group = `${kubectl.namespace}.example.com`;
    const boat = (crew: number) => ({
      apiVersion: `${group}/v1`,
      kind: 'Boat',
      metadata: { name: 'gig' },
      spec: { crew },
    });
    await kubectl.feed(boats(group), 'apply');
    try {
      await kubectl.ok('wait', '--for=condition=Established', `crd/boats.${group}`, '--timeout=30s');
      assert.equal((await kubectl.feed(boat(4), 'apply')).trim(), `boat.${group}/gig created`);
      assert.equal((await kubectl.feed(boat(4), 'apply')).trim(), `boat.${group}/gig unchanged`);
      assert.match(await kubectl.ok('get', 'bt', '-o', 'wide'), /^NAME +CREW +HOME\ngig +4 +harbour\n$/);
      assert.match(
        await kubectl.ok('explain', 'boats.spec.crew'),
        /FIELD: crew <integer>\n(.*\n)* +How many sail it\.\n/,
      );
      assert.match(
        await kubectl.ok('api-resources', `--api-group=${group}`),
        new RegExp(`^boats +bt +${group}/v1 +true +Boat$`, 'm'),
      );
      await kubectl.says(`boat.${group}/gig scaled`, 'scale', 'boat/gig', '--replicas=6');
      await kubectl.ok('patch', 'boat', 'gig', '--type=merge', '-p', '{"spec":{"home":"sea"}}');
      await kubectl.fails(
        /spec\.crew: Invalid value: 0: .*should be greater than or equal to 1/,
        'patch',
        'boat',
        'gig',
        '--type=merge',
        '-p',
        '{"spec":{"crew":0}}',
      );
      await kubectl.says('6 sea', 'get', 'boat/gig', '-o', 'jsonpath={.spec.crew} {.spec.home}');
      await kubectl.feed(boat(7), 'apply', '--server-side', '--force-conflicts');
      assert.match(await kubectl.ok('describe', 'boat/gig'), /^ {2}Crew: +7$/m);
      await kubectl.ok('delete', 'boat/gig');
    } finally {
      await kubectl.ok('delete', 'crd', `boats.${group}`, '--timeout=60s');
    }
    // A kubectl that has the kind in its discovery cache requests it and gets a 404.
    await kubectl.fails(/doesn't have a resource type "boats"|could not find the requested resource/, 'get', 'boats');
  },
};
