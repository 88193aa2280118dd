import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { imageRule } from '../config/image-rule.ts';
import { parseImage } from '../reference/image-reference.ts';
import { type Helm, valueIn } from './helm-values.ts';
import { imageInSpec, setImage } from './set-image.ts';

const application = (helm: Helm): Application =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd' },
    spec: {
      project: 'default',
      destination: {},
      sources: [
        { repoURL: 'values', ref: 'values' },
        { repoURL: 'chart', chart: 'web', helm },
      ],
    },
    status: { sourceTypes: ['Directory', 'Helm'] },
  }) as unknown as Application;

const argocd = { method: 'argocd', target: '', kustomizeBase: '' } as const;
const git = { method: 'git', target: '.argocd-source-web.yaml', kustomizeBase: '' } as const;
const rule = (names: { name?: string; tag?: string; spec?: string }) =>
  imageRule({ alias: 'web', imageName: 'ghcr.io/acme/web:^1', manifestTargets: { helm: names } });
const places = rule({ name: 'image.repository', tag: 'image.tag' });

function set(helm: Helm, names = places, writeBack: typeof argocd | typeof git = argocd): Helm {
  const changed = setImage(application(helm), parseImage('ghcr.io/acme/web:1.20'), writeBack, names);
  return changed.spec.sources![1]!.helm!;
}

test('values in valuesObject are changed in place', () => {
  const valuesObject = { replicas: 2, image: { repository: 'ghcr.io/acme/web', tag: 1.1, pullPolicy: null } };
  assert.deepEqual(set({ valuesObject }), {
    valuesObject: { replicas: 2, image: { repository: 'ghcr.io/acme/web', tag: '1.20', pullPolicy: null } },
  });
  assert.equal(valuesObject.image.tag, 1.1, 'the input is not changed');
});

test('values in text keep their comments', () => {
  const values = '# ours\nimage:\n  repository: ghcr.io/acme/web\n  tag: "1.1" # now\n';
  assert.deepEqual(set({ values }), { values: values.replace('"1.1"', '"1.20"') });
});

test('valuesObject takes precedence over values, and a parameter over both', () => {
  const valuesObject = { image: { repository: 'ghcr.io/acme/web', tag: '1.1' } };
  assert.deepEqual(set({ values: 'image: {tag: "1.0"}', valuesObject }), {
    values: 'image: {tag: "1.0"}',
    valuesObject: { image: { repository: 'ghcr.io/acme/web', tag: '1.20' } },
  });
  assert.deepEqual(set({ valuesObject, parameters: [{ name: 'image.tag', value: '1.0' }] }), {
    valuesObject,
    parameters: [{ name: 'image.tag', value: '1.20', forceString: true }],
  });
});

test('a key that is missing in the values becomes a parameter', () => {
  assert.deepEqual(set({ valuesObject: { image: { tag: '1.1' } } }), {
    valuesObject: { image: { tag: '1.20' } },
    parameters: [{ name: 'image.repository', value: 'ghcr.io/acme/web', forceString: true }],
  });
  for (const helm of [
    {},
    { valuesObject: { image: 'x' } },
    { valuesObject: { image: { tag: {} } } },
    { values: 'a: [' },
  ])
    assert.deepEqual(
      set(helm),
      {
        ...helm,
        parameters: [
          { name: 'image.repository', value: 'ghcr.io/acme/web', forceString: true },
          { name: 'image.tag', value: '1.20', forceString: true },
        ],
      },
      JSON.stringify(helm),
    );
});

test('a repository without its registry is kept in this form, and is recognized', () => {
  const valuesObject = { image: { registry: 'ghcr.io', repository: 'acme/web', tag: '1.1' } };
  const helm = set({ valuesObject });
  assert.deepEqual(helm.valuesObject, { image: { registry: 'ghcr.io', repository: 'acme/web', tag: '1.20' } });
  assert.equal(imageInSpec(application(helm), argocd, places), 'ghcr.io/acme/web:1.20');
});

test('lists, full image references and keys with dots are supported', () => {
  const spec = rule({ spec: 'images[1].ref' });
  const valuesObject = { images: [{ ref: 'a:1' }, { ref: 'ghcr.io/acme/web:1.1' }] };
  const helm = set({ valuesObject }, spec);
  assert.deepEqual(helm.valuesObject, { images: [{ ref: 'a:1' }, { ref: 'ghcr.io/acme/web:1.20' }] });
  assert.equal(imageInSpec(application(helm), argocd, spec), 'ghcr.io/acme/web:1.20');
  assert.equal(valueIn({ valuesObject: { 'image.tag': 'x' } }, 'image.tag'), 'x');
  assert.equal(valueIn({ valuesObject: {} }, 'constructor.name'), undefined);
});

test('files in Git get parameters, regardless of values in the Application', () => {
  const valuesObject = { image: { repository: 'ghcr.io/acme/web', tag: '1.1' } };
  const { parameters, valuesObject: after } = set({ valuesObject }, places, git);
  assert.deepEqual(
    parameters?.map(({ name }) => name),
    ['image.repository', 'image.tag'],
  );
  assert.equal(after, valuesObject);
});
