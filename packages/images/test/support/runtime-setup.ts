import type { Application, ImageUpdater } from '@fairlead/api';
import { MetricsRegistry, silentLogger } from '@fairlead/kube';
import { VirtualClock } from '@fairlead/sim';
import { emptyReport, type Report } from '../../src/run/report.ts';
import { Runtime } from '../../src/run/runtime.ts';
import type { RuntimeSettings } from '../../src/run/runtime-settings.ts';
import type { UpdaterEnv } from '../../src/run/updater-env.ts';

export const annotated = (name: string, more: { uid?: string; repoURL?: string; image?: string } = {}): Application =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name,
      namespace: 'argocd',
      uid: more.uid ?? `uid-of-${name}`,
      annotations: { 'argocd-image-updater.argoproj.io/image-list': more.image ?? 'web=example.com/web:^1' },
    },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc' },
      source: { repoURL: more.repoURL ?? 'https://git.example.com/repo.git', path: '.', kustomize: {} },
    },
    status: { sourceType: 'Kustomize', summary: { images: ['example.com/web:1.0.0'] } },
  }) as unknown as Application;

/** A runtime on a virtual clock, over a list of Applications that a test changes. The test supplies `update`. */
export function runtimeSetup(
  update: (
    name: string,
    notBefore: number,
    onWaiting: () => void,
    signal: AbortSignal,
  ) => Promise<Partial<Report>> = async () => ({
    considered: 1,
  }),
  settings: Partial<RuntimeSettings> = {},
) {
  const clock = new VirtualClock();
  const metrics = new MetricsRegistry();
  const state = {
    applications: [] as Application[],
    updaters: [] as ImageUpdater[],
    updates: [] as { name: string; at: number }[],
    warmedUp: 0,
    invalidated: [] as string[],
  };
  const deps: UpdaterEnv = {
    clock,
    log: silentLogger,
    metrics,
    applications: () => state.applications,
    updaters: () => state.updaters,
    async update({ name }, notBefore, onWaiting, signal) {
      state.updates.push({ name, at: clock.now() });
      return { ...emptyReport, ...(await update(name, notBefore, onWaiting, signal)) };
    },
    async warmUp() {
      state.warmedUp++;
    },
    invalidate: ({ repository }) => state.invalidated.push(repository),
    prune: () => {},
    report: async () => {},
  };
  const runtime = new Runtime(deps, { warmUp: false, ...settings });
  const series = async (name: string): Promise<string[]> =>
    (await metrics.text()).split('\n').filter((line) => line.includes(`application="${name}"`));
  return { clock, metrics, runtime, state, series };
}
