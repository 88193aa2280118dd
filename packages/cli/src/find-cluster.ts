import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf, textAt } from '@fairlead/apimachinery';
import { type ClusterAccess, loadKubeconfig } from '@fairlead/kube';
import { CliError } from './cli-error.ts';
import { type DataDir, dataDirAt, defaultDataDir, ownerOf } from './data-dir.ts';

export interface ClusterChoice {
  /** --kubeconfig */
  readonly kubeconfig?: string | undefined;
  /** --context */
  readonly context?: string | undefined;
  /** --data-dir, or $FAIRLEAD_DATA_DIR. */
  readonly dataDir?: string | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The cluster of a command, first match: --kubeconfig; --data-dir; KUBECONFIG; the instance of `fairlead up` in this folder or a parent
 * folder; the default of kubectl.
 */
export async function findCluster(choice: ClusterChoice, env: Variables, from = process.cwd()): Promise<ClusterAccess> {
  const context = choice.context === undefined ? {} : { context: choice.context };
  const named = choice.kubeconfig ?? (choice.dataDir === undefined ? undefined : kubeconfigOf(choice.dataDir));
  if (named !== undefined) return read({ path: named, ...context }, `kubeconfig ${named} cannot be used`);
  const running = env['KUBECONFIG'] || choice.context !== undefined ? undefined : runningAt(env, from);
  if (running) return read({ path: running.kubeconfig }, `kubeconfig ${running.kubeconfig} cannot be used`);
  return read(
    { env, ...context },
    'no cluster found',
    '; start one with fairlead up, or name one with --kubeconfig FILE',
  );
}

function kubeconfigOf(dataDir: string): string {
  const dir = dataDirAt(dataDir);
  if (!existsSync(dir.kubeconfig))
    throw new CliError(`no instance was started on ${dir.root}: run fairlead up --data-dir ${dir.root}`);
  return dir.kubeconfig;
}

/** The running instance on the default data folder here or in a parent folder. */
export function runningAt(env: Variables, from: string): DataDir | undefined {
  const places = env['FAIRLEAD_DATA_DIR'] ? [env['FAIRLEAD_DATA_DIR']] : above(resolve(from));
  return places.map(dataDirAt).find((dir) => existsSync(dir.kubeconfig) && isAlive(ownerOf(dir)));
}

function above(folder: string): string[] {
  const places = [join(folder, defaultDataDir)];
  for (let here = folder; dirname(here) !== here; here = dirname(here))
    places.push(join(dirname(here), defaultDataDir));
  return places;
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return textAt(error, 'code') === 'EPERM';
  }
}

async function read(options: Parameters<typeof loadKubeconfig>[0], what: string, hint = ''): Promise<ClusterAccess> {
  try {
    return await loadKubeconfig(options);
  } catch (error) {
    throw new CliError(`${what}: ${messageOf(error)}${hint}`, { cause: error });
  }
}
