/** A running instance and a repository, shared by the tests of all commands. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import { connect, Fairlead, run, temporaryFolder } from '../../test/support/fairlead-process.ts';
import { caller } from '../../test/support/in-process.ts';

export const folder = temporaryFolder();
export const repository = join(folder.path, 'shop');
const dir = join(folder.path, '.fairlead');
export const kubeconfig = join(dir, 'kubeconfig');
let instance: Fairlead;
export let api: Awaited<ReturnType<typeof connect>>;
export const fairlead = caller(() => ({ KUBECONFIG: kubeconfig }));

const git = (...args: string[]): Promise<string> =>
  run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: repository });

export async function commit(
  files: Record<string, string | ((text: string) => string) | undefined>,
  message: string,
): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(repository, name);
    mkdirSync(dirname(path), { recursive: true });
    if (content === undefined) await git('rm', '--quiet', name);
    else writeFileSync(path, typeof content === 'string' ? content : content(readFileSync(path, 'utf8')));
  }
  await git('add', '--all');
  await git('commit', '--quiet', '--message', message);
  return git('rev-parse', 'HEAD');
}

export const settings = (name: string, greeting: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {greeting: ${greeting}}\n`;
const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData: {password: hunter2}\n';
export const deployment = (image: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {argocd.argoproj.io/sync-wave: "1"}}
spec:
  replicas: 1
  progressDeadlineSeconds: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: '${image}'}]}
`;
export const job = (name: string, phase: string, line: string): string => `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}, annotations: {argocd.argoproj.io/hook: ${phase}, argocd.argoproj.io/hook-delete-policy: BeforeHookCreation}}
spec:
  backoffLimit: 0
  template: {spec: {restartPolicy: Never, containers: [{name: job, image: busybox, command: [sh, -c, '${line}']}]}}
`;

before(async () => {
  mkdirSync(repository);
  await git('init', '--quiet', '--initial-branch=main');
  await commit(
    {
      'web/settings.yaml': settings('web', 'hello'),
      'web/secret.yaml': secret,
      'web/web.yaml': deployment('nginx:1.29'),
      'web/migrate.yaml': job('migrate', 'PreSync', 'exit 0'),
      'slow/slow.yaml': job('slow', 'PreSync', 'sleep 300'),
      'slow/settings.yaml': settings('slow', 'never'),
    },
    'First',
  );
  instance = new Fairlead(['up', '--data-dir', dir, '--fleet', '4']);
  await instance.line('ready');
  api = await connect(kubeconfig);
});
after(async () => {
  await api?.close();
  if (instance?.process.exitCode === null) await instance.stop();
  folder.remove();
});

export const ok = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await fairlead(...words);
  assert.deepEqual([code, stderr], [0, ''], `${words.join(' ')}: ${stdout}`);
  return stdout;
};
export const refused = async (...words: string[]): Promise<string> => {
  const { code, stderr } = await fairlead(...words);
  assert.equal(code, 1);
  return stderr.replace(/^fairlead: /u, '').trimEnd();
};
