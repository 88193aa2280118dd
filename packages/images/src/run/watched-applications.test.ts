import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, ImageUpdater } from '@fairlead/api';
import { Watchlist, watchedApplications } from './watched-applications.ts';

const options = { controllerNamespace: 'argocd', annotations: true };

const application = (name: string, annotations: Record<string, string> = {}, namespace = 'argocd'): Application =>
  ({
    metadata: { name, namespace, uid: name, annotations },
    spec: { project: 'default', destination: {}, source: { repoURL: 'https://git.example.com/r', path: name } },
    status: { sourceType: 'Kustomize' },
  }) as unknown as Application;

const annotated = { 'argocd-image-updater.argoproj.io/image-list': 'web=example.com/web:^1' };

const updater = (name: string, namePattern: string, generation = 1, useAnnotations = false): ImageUpdater =>
  ({
    metadata: { name, namespace: 'argocd', uid: name, generation },
    spec: {
      applicationRefs: [{ namePattern, useAnnotations, images: [{ alias: 'app', imageName: 'example.com/app' }] }],
    },
  }) as unknown as ImageUpdater;

test('a rule of a resource takes precedence over annotations; without a resource annotations apply', () => {
  const { watched } = watchedApplications(
    [
      application('a', annotated),
      application('b', annotated),
      application('c'),
      application('a', annotated, 'elsewhere'),
    ],
    [updater('u', 'a')],
    options,
  );
  assert.deepEqual(
    watched.map(({ key, updater: by, plan }) => [key, by?.metadata.name, plan?.rules.map(({ alias }) => alias).join()]),
    [
      ['argocd/a', 'u', 'app'],
      ['argocd/b', undefined, 'web'],
      ['elsewhere/a', undefined, 'web'],
    ],
  );
  assert.equal(
    watchedApplications([application('b', annotated)], [], { ...options, annotations: false }).watched.length,
    0,
  );
});

test('invalid configuration is reported for the Application or resource that contains it', () => {
  const bad = application('a', { ...annotated, 'argocd-image-updater.argoproj.io/write-back-method': 'pigeon' });
  const { watched, broken } = watchedApplications([bad], [updater('wrong', '[')], options);
  assert.match(watched[0]?.problem?.message ?? '', /no write-back method "pigeon"/u);
  assert.match([...broken.values()][0]?.message ?? '', /not a valid pattern/u);
});

test('unchanged objects are not evaluated again, changed ones are', () => {
  const list = new Watchlist(options);
  const [a, b] = [application('a', annotated), application('b')];
  const first = list.list([a, b], []).watched;
  assert.equal(list.list([a, b], []).watched[0], first[0]);
  const edited = application('a', { 'argocd-image-updater.argoproj.io/image-list': 'db=example.com/db' });
  assert.equal(list.list([edited, b], []).watched[0]?.plan?.rules[0]?.alias, 'db');
  assert.deepEqual(
    list.list([edited, b], [updater('u', 'b')]).watched.map(({ name }) => name),
    ['a', 'b'],
  );
  assert.deepEqual(
    list.list([edited, b], [updater('u', 'x', 2)]).watched.map(({ name }) => name),
    ['a'],
  );
});
