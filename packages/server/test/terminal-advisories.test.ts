/** Published advisories of Argo CD about its web terminal: docs/security/advisories.md lists them with these tests. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configMapType, podType } from '@fairlead/apimachinery';
import { type StartExec, sleep, systemClock } from '@fairlead/kube';
import { home, LiveInstallation, namespace } from './support/live-installation.ts';
import { connectTerminal, type TerminalClient } from './support/terminal-client.ts';

const installation = new LiveInstallation();
const received: string[] = [];
const execRight = 'p, reader, exec, create, default/web, allow\n';
let pod = '';

/** A command that prints every 50 ms until it is ended. */
const exec: StartExec = async (_, onOutput) => {
  const printing = setInterval(() => onOutput('output'), 50);
  let end = (_ended: { message: string }): void => {};
  const ended = new Promise<{ message: string }>((resolve) => {
    end = resolve;
  });
  return {
    write: (text) => received.push(text),
    resize: () => {},
    ended,
    close() {
      clearInterval(printing);
      end({ message: 'closed' });
    },
  };
};

before(async () => {
  await installation.start({ exec });
  await grant(execRight);
  await installation.client.patch(configMapType, { namespace: home, name: 'argocd-cm' }, 'merge', {
    data: { 'exec.enabled': 'true' },
  });
  await until(async () => {
    const { items } = await installation.client.list(podType, { namespace });
    pod = items.find((one) => JSON.stringify(one).includes('"running"'))?.metadata.name ?? '';
    return pod !== '';
  });
});
after(() => installation.close());

const grant = (policy: string) =>
  installation.client.patch(configMapType, { namespace: home, name: 'argocd-rbac-cm' }, 'merge', {
    data: { 'policy.csv': `p, reader, applications, get, default/*, allow\n${policy}` },
  });

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    if (await holds()) return;
    await sleep(systemClock, 20);
  }
  assert.fail('the condition was not met');
}

async function opened(token: string): Promise<TerminalClient> {
  const where = { pod, container: 'main', appName: 'web', projectName: 'default', namespace, appNamespace: home };
  const url = `ws://127.0.0.1:${installation.server.port}/terminal?${new URLSearchParams({ ...where, shell: 'sh' })}`;
  let terminal: TerminalClient | undefined;
  await until(async () => {
    terminal = await connectTerminal(url, { cookie: `argocd.token=${token}` }).catch(() => undefined);
    return terminal !== undefined;
  });
  assert.ok(terminal);
  await terminal.until('output');
  return terminal;
}

/** No input reaches the command, and its output ends, though the user does nothing. */
async function assertEnds(terminal: TerminalClient): Promise<void> {
  received.length = 0;
  await terminal.closed;
  const { length } = terminal.messages;
  await sleep(systemClock, 300);
  assert.equal(terminal.messages.length, length);
  assert.deepEqual(
    received.filter((text) => text !== '\u0004'),
    [],
  );
}

test('GHSA-v8wx-v5jq-qhhw: a terminal ends when its user loses the right', async () => {
  const terminal = await opened(await installation.tokenOf('reader'));
  await grant('');
  await assertEnds(terminal);
  await grant(execRight);
});

test('GHSA-c8xw-vjgf-94hr: a terminal ends with the session of its user', async () => {
  const token = await installation.tokenOf('reader');
  const terminal = await opened(token);
  const url = `http://127.0.0.1:${installation.server.port}/auth/logout`;
  await fetch(url, { headers: { cookie: `argocd.token=${token}` }, redirect: 'manual' });
  await assertEnds(terminal);
});
