import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ApplicationSet, applicationSetKind } from '@fairlead/api';
import { readYaml } from '@fairlead/render/go-yaml';
import { defaultApplicationSetSettings, type GeneratorEnv, generate } from '../src/applicationset/index.ts';

const page = readFileSync(new URL('../../../docs/applicationset.md', import.meta.url), 'utf8');

const unused = (): never => {
  throw new Error('the example reads nothing');
};

const env: GeneratorEnv = {
  namespace: 'argocd',
  settings: defaultApplicationSetSettings,
  objects: { clusterSecrets: () => [], secret: unused, configMap: unused, list: unused },
  git: { project: unused, directories: unused, files: unused },
  forges: { send: unused, close: async () => {} },
};

const isSet = (value: unknown): value is ApplicationSet => applicationSetKind.validate(value).length === 0;

test('the example of docs/applicationset.md is valid and makes the Applications that the page names', async () => {
  const set = readYaml(/```yaml\n([\s\S]*?)```/u.exec(page)?.[1] ?? '');
  assert.ok(isSet(set), JSON.stringify(applicationSetKind.validate(set)));
  const names = (await generate(set, env)).map(({ metadata }) => metadata.name).sort();
  const named = /It makes the Applications (.*)\./u.exec(page)?.[1] ?? '';
  assert.deepEqual(
    names,
    [...named.matchAll(/`([^`]+)`/gu)].map(([, name]) => name),
  );
});

test('docs/applicationset.md has a row for each generator', () => {
  for (const name of Object.keys(
    applicationSetKind.schema.properties?.['spec']?.properties?.['generators']?.items?.properties ?? {},
  ))
    if (name !== 'selector') assert.ok(page.includes(`| \`${name}\` |`), name);
});
