import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { LostLeaseError } from '@fairlead/kube';
import { CliError, cliErrorIn } from './cli-error.ts';

const listening = (port: number, host: string): Promise<Error | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });

test('a failure to listen becomes a CliError, at any depth of causes', async () => {
  const error = await listening(0, '192.0.2.1');
  const wrapped = new Error('work failed', { cause: new Error('server failed', { cause: error }) });
  assert.equal(
    cliErrorIn(wrapped)?.message,
    '192.0.2.1 is not an address of this machine: choose another host to listen on',
  );
});

test('finds a CliError in the causes; other errors stay', () => {
  const cliError = new CliError('no', { code: 4 });
  assert.equal(cliErrorIn(new Error('outer', { cause: cliError })), cliError);
  assert.equal(cliErrorIn(new Error('outer', { cause: new TypeError('a bug') })), undefined);
  assert.equal(cliErrorIn('text'), undefined);
  const refused = Object.assign(new Error('connect'), { code: 'EACCES', syscall: 'connect' });
  assert.equal(cliErrorIn(refused), undefined, 'connection errors are reported elsewhere');
});

test('a lost lease is printed without a stack', () => {
  assert.match(cliErrorIn(new Error('outer', { cause: new LostLeaseError() }))?.message ?? '', /no longer leads/);
});
