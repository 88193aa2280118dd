import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { youngGenerationFlag } from '@fairlead/kube/process';
import { launcher, processConfig } from './root-files.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

// Not the shebang: not every `env` passes on flags.
test('npm and the image start fairlead with a limit on the memory for short-lived objects', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const content = launcher.type === 'file' ? launcher.content.toString() : '';
  for (const line of [scripts['start'], scripts['fairlead'], content, processConfig.Entrypoint.join(' ')])
    assert.match(String(line), new RegExp(`\\bnode ${youngGenerationFlag}`, 'u'));
});
