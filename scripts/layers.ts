/** A package imports only from the packages before it in this list; `sim` may use any, and only tests use `sim`. */
import { globSync, readFileSync } from 'node:fs';

const order = [
  'kube',
  'api',
  'control-plane',
  'render',
  'source',
  'engine',
  'app-controller',
  'service',
  'agent',
  'images',
  'prepull',
  'server',
  'ui',
  'cli',
  'sim',
];

const isTest = (file: string): boolean => /\.test\.ts$|\/(test|e2e|bench|conformance)\//.test(file);

const wrong: string[] = [];
for (const file of globSync('packages/*/**/*.ts', { exclude: ['**/node_modules/**'] })) {
  const from = file.split('/')[1]!;
  for (const match of readFileSync(file, 'utf8').matchAll(/from '@fairlead\/([a-z-]+)/g)) {
    const to = match[1]!;
    if (to === from) wrong.push(`${file}: imports its own package by name`);
    else if (to === 'sim' ? !isTest(file) : order.indexOf(to) > order.indexOf(from) && !isTest(file)) {
      wrong.push(`${file}: ${from} may not import ${to}`);
    }
  }
}
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exit(1);
