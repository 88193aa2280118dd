import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { youngGenerationFlag } from '@fairlead/kube/process';
import { launcher, processConfig } from './root-files.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('every way to start fairlead limits the memory for short-lived objects', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const [shebang = ''] = read('packages/cli/bin/fairlead.js').split('\n');
  const content = launcher.type === 'file' ? launcher.content.toString() : '';
  for (const line of [scripts['start'], scripts['fairlead'], shebang, content, processConfig.Entrypoint.join(' ')])
    assert.match(String(line), new RegExp(`\\bnode ${youngGenerationFlag}`, 'u'));
});
