import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingTable } from '@fairlead/api/settings';
import { knownAnnotations, syncOptionTable } from '@fairlead/engine';
import { stages } from '../src/deletion/deletion-finalizers.ts';
import { conditionTypes } from '../src/status/conditions.ts';
import { metricDefinitions } from '../src/status/metric-definitions.ts';

const page = readFileSync(new URL('../../../docs/syncing.md', import.meta.url), 'utf8');

const rowsOf = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('| `'));
const section = (from: string, to: string): string => page.slice(page.indexOf(from), page.indexOf(to));

test('docs/syncing.md has one row for each sync option, made from the table', () => {
  const where = { application: 'Application', resource: 'object', both: 'both' };
  const rows = Object.entries(syncOptionTable).map(([name, { values, default: usual, scope, description }]) => {
    const others = values.filter((value) => value !== usual).join('\\|');
    return `| \`${name}=${others}\` | ${where[scope]} | \`${usual}\` | ${description} |`;
  });
  assert.deepEqual(rowsOf(section('## Options', 'Approval:')), rows);
});

test('docs/syncing.md has one row for each annotation, made from the table', () => {
  const rows = Object.values(knownAnnotations).map(({ name, on, values, description }) => {
    const form = typeof values === 'string' ? values : values.map((value) => `\`${value}\``).join(', ');
    return `| \`${name}\` | ${on === 'resource' ? 'object' : on} | ${form.replaceAll('|', '\\|')} | ${description} |`;
  });
  assert.deepEqual(rowsOf(section('## Annotations', '## Tests')), rows);
});

test('docs/syncing.md has one row for each condition type, made from the table', () => {
  const rows = Object.entries(conditionTypes).map(
    ([type, { argocd, meaning }]) => `| \`${type}\` | ${argocd ? 'yes' : 'no'} | ${meaning} |`,
  );
  assert.deepEqual(rowsOf(section('## Conditions', '## Annotations')), rows);
});

test('docs/clusters-and-settings.md names every setting that the controllers read', () => {
  const settings = readFileSync(new URL('../../../docs/clusters-and-settings.md', import.meta.url), 'utf8');
  const missing = settingTable
    .filter(({ name }) => name === 'argocd-cm' || name === 'argocd-cmd-params-cm')
    .flatMap((source) => Object.entries(source.settings))
    .filter(([, { status, roles }]) => status !== 'not supported' && roles[0] !== 'server')
    .map(([key]) => key.replace('*', ''))
    .filter((key) => !settings.includes(key));
  assert.deepEqual(missing, []);
});

test('docs/webhooks-and-metrics.md names every metric', () => {
  const metrics = readFileSync(new URL('../../../docs/webhooks-and-metrics.md', import.meta.url), 'utf8');
  const names = Object.values(metricDefinitions).map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !metrics.includes(`\`${name}\``)),
    [],
  );
});

test('docs/syncing.md names the finalizers that delay a deletion', () => {
  for (const name of Object.values(stages).flatMap(([first]) => first ?? [])) {
    assert.ok(page.includes(name.replace(/^.*\/cleanup$/u, '/cleanup')), name);
  }
});
