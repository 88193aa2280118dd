/** A kustomization builds, or fails with a `RenderError`; the same files build the same objects. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyJson, fieldsOf, mutated } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRejected } from '../../../../scripts/fuzz/target.ts';
import { kustomizeYaml } from '../../src/kustomize/index.ts';
import { RenderError } from '../../src/render-error.ts';
import { memoryTree } from '../../src/tree/memory-tree.ts';

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: a, labels: {app: web}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: c
        image: nginx:1.0
        envFrom: [{configMapRef: {name: settings}}]
        ports: [{containerPort: 80}]
`;
const seeds = [
  'resources: [d.yaml]\nnamePrefix: p-\nnamespace: n\ncommonLabels: {a: b}\nimages: [{name: nginx, newTag: "2", digest: ""}]\nreplicas: [{name: web, count: 3}]\n',
  'resources: [d.yaml]\npatches:\n- target: {kind: Deployment, labelSelector: "app in (web)"}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 2}\n    - {op: add, path: /metadata/annotations, value: {a: b}}\n- path: p.yaml\n',
  'resources: [d.yaml]\nconfigMapGenerator:\n- name: settings\n  literals: [a=1, "b=2"]\n  files: [x=p.yaml]\n  envs: [e.env]\nsecretGenerator: [{name: s, literals: [k=v], type: Opaque}]\ngeneratorOptions: {disableNameSuffixHash: false, labels: {g: h}}\n',
  'resources: [d.yaml]\nreplacements:\n- source: {kind: Deployment, name: web, fieldPath: "metadata.labels.[app]", options: {delimiter: "", index: 0}}\n  targets:\n  - select: {kind: Deployment}\n    fieldPaths: ["spec.template.spec.containers.[name=c].image", "metadata.annotations.x"]\n    options: {create: true}\n',
  'resources: [d.yaml]\ncomponents: [comp]\ntransformers: []\nvars: [{name: V, objref: {kind: Deployment, name: web, apiVersion: apps/v1}, fieldref: {fieldpath: spec.replicas}}]\nbuildMetadata: [originAnnotations]\nlabels: [{pairs: {a: b}, includeSelectors: true, fields: [{path: spec/x, create: true}]}]\n',
];
const words =
  'resources patches path patch target kind name namespace op add remove replace value literals files images newTag newName digest namePrefix nameSuffix labels commonAnnotations replicas count vars replacements source targets fieldPaths options create delimiter index components openapi crds sortOptions order fifo $patch delete merge null [] {} "" - : \n -1 99999999999 ../ /'.split(
    ' ',
  );
const patchSeeds = [
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 5, template: {spec: {containers: [{name: c, $patch: delete}, {name: d, image: x}]}}}\n',
];

export const target = fuzzTarget({
  inputs: fc.record({
    kustomization: fc.oneof(
      { arbitrary: mutated(seeds, words), weight: 4 },
      {
        arbitrary: fieldsOf(words, 4).map((value) => JSON.stringify({ resources: ['d.yaml'], ...Object(value) })),
        weight: 1,
      },
    ),
    resource: fc.oneof(
      { arbitrary: fc.constant(deployment), weight: 4 },
      { arbitrary: mutated([deployment], words), weight: 2 },
      { arbitrary: anyJson().map((value) => JSON.stringify(value)), weight: 1 },
    ),
    patch: mutated(patchSeeds, words),
  }),
  async check({ kustomization, resource, patch }: Record<'kustomization' | 'resource' | 'patch', string>) {
    const build = (): Promise<string | undefined> =>
      unlessRejected([RenderError], () =>
        kustomizeYaml(
          memoryTree({
            'kustomization.yaml': kustomization,
            'd.yaml': resource,
            'p.yaml': patch,
            'e.env': 'A=1\nB=2\n',
            'comp/kustomization.yaml':
              'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -c\n',
          }),
          '',
        ),
      );
    assert.equal(await build(), await build());
  },
});
