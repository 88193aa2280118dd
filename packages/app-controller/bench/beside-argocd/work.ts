import { type Application, applicationKind } from '@fairlead/api';
import { type ConfigMap, configMapType } from '@fairlead/apimachinery';
import { type HttpClient, listAll } from '@fairlead/kube';
import { commit, fileOf, manifestsOf, namespaceOf } from '../fleet.ts';

export interface Bench {
  readonly client: HttpClient;
  readonly bare: string;
  readonly apps: number;
  /** Fails if the system under test has ended. */
  readonly check: () => void;
}

const refreshAnnotation = 'argocd.argoproj.io/refresh';
const idleSeconds = 30;

/** The work that both systems do, in this order. */
export const work: readonly (readonly [name: string, run: (bench: Bench) => Promise<void>])[] = [
  ['first sync', (bench) => waitFor(bench, isSynced)],
  ['refresh, nothing changed', (bench) => refresh(bench, 'normal')],
  ['hard refresh', (bench) => refresh(bench, 'hard')],
  [
    'refresh after a commit for one of them',
    async (bench) => {
      commit(bench.bare, 'one', new Map([[fileOf(1), manifestsOf(1, 'one')]]));
      await refresh(bench, 'normal');
      await settingIs(bench, 1, 'one');
    },
  ],
  [
    'from a commit to the live object',
    async (bench) => {
      commit(bench.bare, 'two', new Map([[fileOf(2), manifestsOf(2, 'two')]]));
      await annotate(bench, 'app-2', 'normal');
      await settingIs(bench, 2, 'two');
    },
  ],
  [
    'self-heal of an object',
    async (bench) => {
      await bench.client.patch(configMapType, settingOf(3), 'merge', { data: { note: 'by hand' } });
      await settingIs(bench, 3, '');
    },
  ],
  [`idle for ${idleSeconds} s`, () => pause(idleSeconds * 1_000)],
];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const applications = async ({ client }: Bench): Promise<readonly Application[]> =>
  (await listAll<Application>(client, applicationKind.type, { namespace: 'argocd' })).items;

const isSynced = ({ status, operation }: Application): boolean =>
  status?.sync?.status === 'Synced' && status.operationState?.phase === 'Succeeded' && operation === undefined;

async function waitFor(bench: Bench, isDone: (application: Application) => boolean): Promise<void> {
  const end = Date.now() + 3_600_000;
  while (!(await applications(bench)).every(isDone)) {
    bench.check();
    if (Date.now() > end) throw new Error('not done within an hour');
    await pause(bench.apps > 1_000 ? 2_000 : 250);
  }
}

const annotate = ({ client }: Bench, name: string, level: string): Promise<unknown> =>
  client.patch(applicationKind.type, { namespace: 'argocd', name }, 'merge', {
    metadata: { annotations: { [refreshAnnotation]: level } },
  });

async function refresh(bench: Bench, level: 'normal' | 'hard'): Promise<void> {
  const names = Array.from({ length: bench.apps }, (_, i) => `app-${i}`);
  const workers = Array.from({ length: 16 }, async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await annotate(bench, name, level);
  });
  await Promise.all(workers);
  await waitFor(bench, ({ metadata }) => metadata.annotations?.[refreshAnnotation] === undefined);
}

const settingOf = (app: number): { namespace: string; name: string } => ({
  namespace: namespaceOf(app),
  name: `app-${app}-settings-0`,
});

async function settingIs(bench: Bench, app: number, note: string): Promise<void> {
  const end = Date.now() + 600_000;
  for (;;) {
    const { data } = await bench.client.get<ConfigMap>(configMapType, settingOf(app));
    if (data?.['note'] === note) return;
    bench.check();
    if (Date.now() > end) throw new Error(`${settingOf(app).name} has not become "${note}"`);
    await pause(50);
  }
}
