import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { crdOf, gitopsDeploymentKind, kinds } from '@fairlead/api';
import { crdType, type KubeObject, namespaceType } from '@fairlead/apimachinery';
import { fixedCredentials, HttpClient, youngGenerationFlag } from '@fairlead/kube';
import type { Finding } from '../../src/audit/compare.ts';
import type { ServiceProcessOptions } from './service-process.ts';
import { until } from './test-service.ts';

const program = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface ApiProcess {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
  readonly client: HttpClient;
  namespace(name: string): Promise<string>;
  /** Kills it like a crash. */
  kill(): Promise<void>;
  /** Restarts it, at the same address and with the same objects: for one with a directory. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Ready {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** An API server in a separate process, with Fairlead's kinds: in memory, or in a folder. */
export async function startApiProcess(dataDir = ''): Promise<ApiProcess> {
  let child: ChildProcess;
  const launch = async (port: string): Promise<Ready> => {
    child = fork(program('../../../control-plane/bench/server.ts'), [dataDir, port], {
      execArgv: ['--no-warnings', youngGenerationFlag],
    });
    const [{ ready }] = (await once(child, 'message')) as [{ ready: Ready }];
    return ready;
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended(child);
  };
  const { url: server, ca, token } = await launch('0');
  const client = new HttpClient({ server, tls: { ca }, credentials: fixedCredentials({ token }) });
  for (const kind of kinds) await client.create(crdType, crdOf(kind));
  await until(() => client.list(gitopsDeploymentKind.type).then(() => true));
  const namespace = async (name: string): Promise<string> =>
    (await client.create<KubeObject>(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
      .metadata.uid!;
  await namespace('argocd');
  return {
    server,
    ca,
    token,
    client,
    namespace,
    kill,
    async start() {
      const { url } = await launch(new URL(server).port);
      if (url !== server) throw new Error(`the API server is at ${url} now, not at ${server}`);
    },
    async stop() {
      await client.close();
      await kill();
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

export interface ServiceProcess {
  readonly child: ChildProcess;
  kill(): Promise<void>;
  stop(): Promise<void>;
  usage(): Promise<{ readonly memory: NodeJS.MemoryUsage; readonly cpu: NodeJS.CpuUsage }>;
  audit(): Promise<Finding[]>;
}

export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const child = fork(program('./service-process.ts'), [JSON.stringify(options)], {
    // As `fairlead service` runs: with the young generation that V8 gives it.
    execArgv: ['--expose-gc', '--no-warnings'],
  });
  await once(child, 'message');
  const ask = async <T>(question: string): Promise<T> => {
    child.send(question);
    const [answer] = (await once(child, 'message')) as [T];
    return answer;
  };
  return {
    child,
    async kill() {
      child.kill('SIGKILL');
      await ended(child);
    },
    async stop() {
      child.send('stop');
      await ended(child);
    },
    usage: () => ask('memory'),
    audit: async () => (await ask<{ findings: Finding[] }>('audit')).findings,
  };
}
