/** Terminals: who may open one, what goes through it, and what ends it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMapType, podType } from '@fairlead/apimachinery';
import { type ExecOptions, type StartExec, sleep, systemClock } from '@fairlead/kube';
import { home, LiveInstallation, namespace } from './support/live-installation.ts';
import { connectTerminal, type TerminalClient } from './support/terminal-client.ts';

const audit: string[] = [];
const commands: ExecOptions[] = [];
const sizes: object[] = [];
const open = new Set<number>();

/** A container that only has `sh`, which repeats its input and ends at `exit`. */
const exec: StartExec = async (options, onOutput) => {
  if (options.command[0] === 'cmd') throw new Error('pods/exec is forbidden');
  commands.push(options);
  let end = (_: { exitCode?: number; message: string }): void => {};
  const ended = new Promise<{ exitCode?: number; message: string }>((resolve) => {
    end = resolve;
  });
  const id = commands.length;
  open.add(id);
  if (options.command[0] !== 'sh') end({ message: 'executable file not found in $PATH' });
  return {
    write(text) {
      if (text === 'exit') end({ exitCode: 3, message: 'exit code 3' });
      else onOutput(`you said ${text}`);
    },
    resize: (size) => sizes.push(size),
    ended,
    close() {
      open.delete(id);
      end({ message: 'closed' });
    },
  };
};

const installation = new LiveInstallation();
let pod = '';

before(async () => {
  await installation.start({ exec, auditSink: (line) => audit.push(line) });
  await installation.client.patch(configMapType, { namespace: home, name: 'argocd-rbac-cm' }, 'merge', {
    data: { 'policy.csv': 'p, reader, applications, get, default/*, allow\n' },
  });
  for (let attempt = 0; attempt < 200 && pod === ''; attempt++) {
    const { items } = await installation.client.list(podType, { namespace });
    const running = items.find((one) => JSON.stringify(one).includes('"running"'));
    pod = running?.metadata.name ?? '';
    if (pod === '') await sleep(systemClock, 50);
  }
});
after(() => installation.close());

const query = (more: Readonly<Record<string, string>> = {}): string =>
  `/terminal?${new URLSearchParams({ pod, container: 'main', appName: 'web', projectName: 'default', namespace, appNamespace: home, ...more })}`;

const base = (): string => `127.0.0.1:${installation.server.port}`;

async function answerTo(path: string, account: string, headers: Readonly<Record<string, string>> = {}) {
  const cookie = `argocd.token=${await installation.tokenOf(account)}`;
  const answer = await fetch(`http://${base()}${path}`, { headers: { cookie, ...headers } });
  return [answer.status, (await answer.text()).trim()] as const;
}

const connect = async (
  path: string,
  account: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TerminalClient> =>
  connectTerminal(`ws://${base()}${path}`, {
    cookie: `argocd.token=${await installation.tokenOf(account)}`,
    ...headers,
  });

const enable = async (isOn: string): Promise<void> => {
  await installation.client.patch(configMapType, { namespace: home, name: 'argocd-cm' }, 'merge', {
    data: { 'exec.enabled': isOn },
  });
  for (let attempt = 0; attempt < 100; attempt++) {
    const [status] = await answerTo('/terminal', 'admin');
    if ((status === 404) === (isOn === 'false')) return;
    await sleep(systemClock, 20);
  }
};

test('terminals are disabled until exec.enabled is true', async () => {
  assert.deepEqual(await answerTo(query(), 'admin'), [404, '']);
  const anonymous = await fetch(`http://${base()}${query()}`);
  assert.deepEqual([anonymous.status, await anonymous.text()], [400, 'Auth cookie not found\n']);
  await enable('true');
});

test('who may not exec, or names something else, is refused and recorded', async () => {
  const [status, text] = await answerTo(query(), 'reader');
  assert.equal(status, 401);
  assert.match(text, /permission denied: exec, create, default\/web, sub: reader/u);
  const cases: readonly (readonly [Record<string, string>, number, string])[] = [
    [{ pod: 'other' }, 400, "Pod doesn't belong to specified app"],
    [{ container: 'none' }, 400, 'container find running'],
    [{ appName: 'none' }, 404, 'App not found'],
    [{ pod: '../x' }, 400, 'Pod name is not valid'],
    [{ appNamespace: 'elsewhere' }, 403, "namespace 'elsewhere' is not permitted"],
    [{}, 400, 'Bad Request'],
  ];
  for (const [more, code, expected] of cases) assert.deepEqual(await answerTo(query(more), 'admin'), [code, expected]);
  await assert.rejects(connect(query(), 'admin', { origin: 'https://evil.example.com' }), /refused/u);
  const refused = audit.map((line) => JSON.parse(line)).filter(({ call }) => call === 'Terminal.Open');
  assert.equal(refused[0].user, 'reader');
  assert.equal(refused[0].result, 'PermissionDenied');
});

test('input and output go through the first shell that starts, until it ends', async () => {
  const terminal = await connect(query(), 'admin');
  terminal.socket.send(JSON.stringify({ operation: 'resize', rows: 30, cols: 100 }));
  terminal.socket.send(JSON.stringify({ operation: 'stdin', data: 'hé' }));
  await terminal.until('you said hé');
  assert.deepEqual(JSON.parse(terminal.messages[0] ?? ''), {
    operation: 'stdout',
    data: 'you said hé',
    rows: 0,
    cols: 0,
  });
  assert.deepEqual(sizes, [{ operation: 'resize', rows: 30, columns: 100 }]);
  assert.deepEqual(
    commands.map(({ command }) => command),
    [['bash'], ['sh']],
  );
  terminal.socket.send(JSON.stringify({ operation: 'stdin', data: 'exit' }));
  assert.equal(await terminal.closed, 1000);
  assert.ok(audit.some((line) => line.includes('"Terminal.Open"') && line.includes('"OK"') && line.includes(pod)));
});

test('a terminal that the cluster refuses tells the user why, and is recorded as refused', async () => {
  audit.length = 0;
  const terminal = await connect(query({ shell: 'cmd' }), 'admin');
  await terminal.until('no shell can be started: pods/exec is forbidden');
  await terminal.closed;
  const lines = audit.map((line) => JSON.parse(line)).filter(({ call }) => call === 'Terminal.Open');
  assert.deepEqual(
    lines.map(({ user, result, message }) => [user, result, message]),
    [['admin', 'Unavailable', `${namespace}/${pod}/main: pods/exec is forbidden`]],
  );
});

test('a message that is too large or unknown ends the terminal and its command', async () => {
  const large = await connect(query({ shell: 'sh' }), 'admin');
  large.socket.send(JSON.stringify({ operation: 'stdin', data: 'x'.repeat(70_000) }));
  assert.equal(await large.closed, 1009);
  const unknown = await connect(query({ shell: 'sh' }), 'admin');
  unknown.socket.send('{"operation": "dance"}');
  await unknown.closed;
  for (let attempt = 0; attempt < 100 && open.size > 0; attempt++) await sleep(systemClock, 20);
  assert.equal(open.size, 0);
});

test('a right that is taken ends the terminal at the next input', async () => {
  const grant = (policy: string) =>
    installation.client.patch(configMapType, { namespace: home, name: 'argocd-rbac-cm' }, 'merge', {
      data: { 'policy.csv': policy },
    });
  const read = 'p, reader, applications, get, default/*, allow\n';
  await grant(`${read}p, reader, exec, create, default/web, allow\n`);
  let terminal: TerminalClient | undefined;
  for (let attempt = 0; attempt < 100 && !terminal; attempt++) {
    terminal = await connect(query({ shell: 'sh' }), 'reader').catch(() => undefined);
    if (!terminal) await sleep(systemClock, 20);
  }
  assert.ok(terminal);
  await grant(read);
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await answerTo(query({ pod: 'other' }), 'reader'))[0] === 401) break;
    await sleep(systemClock, 20);
  }
  terminal.socket.send(JSON.stringify({ operation: 'stdin', data: 'secret' }));
  await terminal.closed;
  assert.match(terminal.messages.join(), /Permission denied/u);
  assert.doesNotMatch(terminal.messages.join(), /secret/u);
});
