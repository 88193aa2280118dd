import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { requesting, sampleNode, samplePod } from '../../../../test/support/sample-cluster.ts';
import type { Pod } from '../objects.ts';
import { ClusterState } from './cluster-state.ts';
import { selection } from './selection.ts';

type Step =
  | { readonly kind: 'place'; readonly pod: number; readonly node: number; readonly app: number; readonly cpu: number }
  | { readonly kind: 'remove'; readonly pod: number }
  | { readonly kind: 'node'; readonly node: number; readonly there: boolean };

const number = (max: number) => fc.integer({ min: 0, max });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('place' as const), pod: number(5), node: number(2), app: number(2), cpu: number(3) }),
  fc.record({ kind: fc.constant('remove' as const), pod: number(5) }),
  fc.record({ kind: fc.constant('node' as const), node: number(2), there: fc.boolean() }),
);

const picked = selection({ matchLabels: { app: 'app-1' } }, ['default'], false);

test('after any sequence of changes, the sums equal those of the existing pods', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), number(39), (steps, askAt) => {
      const state = new ClusterState();
      const pods = new Map<string, Pod>();
      const nodes = new Set<string>();
      for (const [at, each] of steps.entries()) {
        if (at === askAt) state.tally.of(picked);
        if (each.kind === 'place') {
          const antiAffinity = {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: {} }],
          };
          const pod = samplePod(
            `p${each.pod}`,
            {
              ...requesting({ cpu: `${each.cpu}`, 'example.com/gpu': `${each.cpu}` }),
              nodeName: `n${each.node}`,
              ...(each.cpu === 3 ? { affinity: { podAntiAffinity: antiAffinity } } : {}),
            },
            { labels: { app: `app-${each.app}` } },
          );
          pods.set(pod.metadata.name, pod);
          state.setPod(pod);
        } else if (each.kind === 'remove') {
          pods.delete(`p${each.pod}`);
          state.removePod(`default/p${each.pod}`);
        } else if (each.there) {
          nodes.add(`n${each.node}`);
          state.setNode(sampleNode(`n${each.node}`));
        } else {
          nodes.delete(`n${each.node}`);
          state.removeNode(`n${each.node}`);
        }
      }
      assert.deepEqual(new Set(state.nodes.map(({ name }) => name)), nodes);
      for (const node of state.nodes) {
        const own = [...pods.values()].filter(({ spec }) => spec.nodeName === node.name);
        const cpu = own.reduce((sum, { spec }) => sum + Number(spec.containers![0]!.resources!.requests!['cpu']), 0);
        assert.equal(node.pods.size, own.length);
        assert.equal(node.cpu, cpu * 1000);
        assert.equal(node.others.get('example.com/gpu') ?? 0, cpu);
        assert.equal(state.nodes[node.at], node);
      }
      const counts = new Map<string, number>();
      for (const { metadata, spec } of pods.values()) {
        if (metadata.labels?.['app'] === 'app-1') counts.set(spec.nodeName!, (counts.get(spec.nodeName!) ?? 0) + 1);
      }
      assert.deepEqual(new Map(state.tally.of(picked)), counts);
      const holders = [...pods.values()].filter(({ spec }) => spec.affinity).length;
      const held = [...state.heldTerms.about('default')].flatMap(({ byNode }) => [...byNode.values()]);
      assert.equal(
        held.reduce((sum, count) => sum + count, 0),
        holders,
      );
    }),
    { numRuns: 200 },
  );
});
