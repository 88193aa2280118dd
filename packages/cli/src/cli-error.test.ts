import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { CliError, cliErrorIn } from './cli-error.ts';

const listening = (port: number, host: string): Promise<Error | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });

test('a host that is not of this machine is complained of, however deep the reason lies', async () => {
  const error = await listening(0, '192.0.2.1');
  const wrapped = new Error('work failed', { cause: new Error('server failed', { cause: error }) });
  assert.equal(
    cliErrorIn(wrapped)?.message,
    '192.0.2.1 is no address of this machine: choose another host to listen on',
  );
});

test('a complaint stays what it is, and other errors are none', () => {
  const complaint = new CliError('no', { code: 4 });
  assert.equal(cliErrorIn(new Error('outer', { cause: complaint })), complaint);
  assert.equal(cliErrorIn(new Error('outer', { cause: new TypeError('a mistake of ours') })), undefined);
  assert.equal(cliErrorIn('text'), undefined);
  const refused = Object.assign(new Error('connect'), { code: 'EACCES', syscall: 'connect' });
  assert.equal(cliErrorIn(refused), undefined, 'of connections others tell');
});
