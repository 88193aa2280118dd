import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvironment } from '../environment.ts';
import { variableOf, withVariables } from './flag-variables.ts';
import { withLogging } from './run.ts';
import { entries } from './table.ts';

const spec = {
  'webhook-port': { type: 'string', help: '' },
  'webhook-secret': { type: 'list', help: '' },
  'enable-webhook': { type: 'boolean', help: '' },
  mode: { type: 'string', choices: ['cycle', 'continuous'], help: '' },
  namespace: { type: 'string', help: '' },
} as const;

test('a variable sets a flag that was not given', () => {
  const variables = {
    FAIRLEAD_WEBHOOK_PORT: '8080',
    FAIRLEAD_WEBHOOK_SECRET: 'ghcr=a,quay=b',
    FAIRLEAD_ENABLE_WEBHOOK: 'true',
    FAIRLEAD_MODE: '',
    FAIRLEAD_NAMESPACE: 'gitops',
  };
  assert.deepEqual(withVariables(spec, { 'webhook-port': '9090' }, variables), {
    'webhook-port': '9090',
    'webhook-secret': ['ghcr=a', 'quay=b'],
    'enable-webhook': true,
  });
  assert.deepEqual(withVariables(spec, {}, { FAIRLEAD_WEBHOOK_SECRET: 'ghcr=a,b\nquay=c\n' }), {
    'webhook-secret': ['ghcr=a,b', 'quay=c'],
  });
});

test('an error names the variable, and not its value', () => {
  const invalid = (variables: Record<string, string>) => () => withVariables(spec, {}, variables);
  assert.throws(
    invalid({ FAIRLEAD_ENABLE_WEBHOOK: 'secret' }),
    /^CliError: invalid FAIRLEAD_ENABLE_WEBHOOK: use true/u,
  );
  assert.throws(invalid({ FAIRLEAD_MODE: 'secret' }), /invalid FAIRLEAD_MODE: use one of cycle, continuous$/u);
});

test('every role command reads variables and has flags for its log', () => {
  const roles = entries.filter(({ spec: { role } }) => role).map(({ spec: { name } }) => name);
  assert.deepEqual(roles.sort(), [
    'agent run',
    'applicationset',
    'controller',
    'image run',
    'notifications',
    'prepull controller',
    'principal',
    'server',
    'service',
  ]);
  assert.equal(variableOf('log-format'), 'FAIRLEAD_LOG_FORMAT');
  const environment = withLogging(readEnvironment({}), { 'log-format': 'json', 'log-level': 'debug' });
  assert.deepEqual([environment.logFormat, environment.logLevel], ['json', 'debug']);
});
