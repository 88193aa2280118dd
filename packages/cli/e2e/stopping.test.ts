/** Commands that run until they are stopped: they end on an address that is in use, and on a signal at any time. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type EmbeddedCluster, startEmbeddedCluster } from '@fairlead/control-plane';
import { sleep, systemClock } from '@fairlead/kube';
import { Fairlead, runFairlead, temporaryFolder } from '../test/support/fairlead-process.ts';

const folder = temporaryFolder();
const kubeconfig = join(folder.path, 'kubeconfig');
let cluster: EmbeddedCluster;
let listener: Server;
let taken: string;

before(async () => {
  cluster = await startEmbeddedCluster({ nodes: 1 });
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
  listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '0.0.0.0', resolve));
  taken = String((listener.address() as AddressInfo).port);
});
after(async () => {
  listener.close();
  await cluster.close();
  folder.remove();
});

const env = (): Record<string, string> => ({
  KUBECONFIG: kubeconfig,
  FAIRLEAD_DATA_DIR: join(folder.path, 'data'),
  // Nothing listens there: the service waits for its database.
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
});

const webhooks = ['--enable-webhook', '--webhook-secret', 'ghcr.io=secret', '--webhook-port'];
const places: readonly (() => string[])[] = [
  () => ['principal', '--port', taken],
  () => ['principal', '--port', '0', '--status-port', taken],
  () => ['controller', '--cache-dir', folder.path, '--webhook-port', taken],
  () => ['controller', '--cache-dir', folder.path, '--metrics-port', taken],
  () => ['image', 'run', '--status-port', taken],
  () => ['image', 'run', '--status-port', '0', ...webhooks, taken],
  () => ['prepull', 'controller', '--metrics-port', taken],
  () => ['service', '--metrics-port', taken],
];

test('a port that is in use ends each command with one sentence', async () => {
  for (const place of places) {
    const args = place();
    const { code, output } = await runFairlead(args, env());
    assert.equal(code, 1, `${args.join(' ')}: ${output}`);
    const [sentence = '', ...more] = output.split('\n').filter((line) => line.startsWith('fairlead: '));
    assert.match(
      sentence,
      new RegExp(`^fairlead: port ${taken} on \\S+ is in use: stop what listens there, or choose`),
    );
    assert.deepEqual(more, []);
    assert.doesNotMatch(output, / at .*\.ts:/u, 'no stack');
  }
});

test('a host that is not an address of this machine', async () => {
  const { code, output } = await runFairlead(['principal', '--host', '192.0.2.1', '--log-level', 'warn'], env());
  assert.equal(code, 1);
  assert.equal(output, 'fairlead: 192.0.2.1 is not an address of this machine: choose another host to listen on\n');
});

const roles: readonly { readonly args: string[]; readonly up: string }[] = [
  { args: ['principal', '--port', '0', '--status-port', '0'], up: 'ready' },
  { args: ['controller', '--cache-dir', folder.path, '--webhook-port', '0', '--metrics-port', '0'], up: 'working' },
  { args: ['image', 'run', '--status-port', '0', ...webhooks, '0'], up: 'image updater is running' },
  { args: ['prepull', 'controller', '--metrics-port', '0'], up: 'pre-pull controller' },
  { args: ['service', '--metrics-port', '0'], up: 'multi-tenant service' },
];

for (const { args, up } of roles) {
  test(`${args[0]} stops without errors at any stage of its start`, async () => {
    const started = Date.now();
    const whole = new Fairlead(args, env());
    await whole.line(up);
    const tookMs = Date.now() - started;
    assert.equal((await whole.stop()).code, 0, whole.output);
    for (const part of [0.65, 0.75, 0.85, 0.95]) {
      const role = new Fairlead(args, env());
      await sleep(systemClock, tookMs * part);
      const { code, output } = await role.stop();
      // Before the signal handler is installed, the signal ends the process.
      assert.ok(code === 0 || role.process.signalCode === 'SIGTERM', `${code}: ${output}`);
      assert.doesNotMatch(output, /fairlead:| at .*\.ts:/u);
    }
  });
}
