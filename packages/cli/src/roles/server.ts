import { join } from 'node:path';
import { apiVersionOf, textAt } from '@fairlead/apimachinery';
import {
  type ClusterConfig,
  connectionOver,
  connectTo,
  createForgeHttp,
  reportUnsupportedSettings,
} from '@fairlead/app-controller';
import { createJq, createLua } from '@fairlead/engine';
import { Discovery, type HttpClient, systemClock, systemRandom } from '@fairlead/kube';
import { createRenderPool } from '@fairlead/render';
import { startServer } from '@fairlead/server';
import { createGpg, createSources } from '@fairlead/source';
import { version } from '../commands/version.ts';
import { rendererWithPlugins } from './plugins.ts';
import type { Role, RunningRole } from './role.ts';
import { followTrust } from './trust.ts';

export interface ServerRoleOptions {
  readonly host?: string;
  readonly port: number;
  /** Whether connections are encrypted. */
  readonly tls?: boolean;
  /** The folder for mirrors of repositories and chart archives. */
  readonly cacheDir: string;
  /** The folder with config management plugins; none is run by default. */
  readonly plugins?: string;
  /** Whether Applications may use repositories on the local disk. */
  readonly allowLocalRepositories: boolean;
  /** Whether to use another port if that one is in use. */
  readonly anyPort?: boolean;
  /** Globs of the namespaces, other than its own, whose Applications are served. */
  readonly applicationNamespaces?: readonly string[];
  /** Takes the lines of the audit log; without it, they are part of the log. */
  readonly auditSink?: ((line: string) => void) | undefined;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[];
  /** The folder with the built web application; without it, only the API is served. */
  readonly pages?: string | undefined;
}

export interface RunningServerRole extends RunningRole {
  readonly port: number;
  /** Of the account `admin`, if this start has generated it. */
  readonly adminPassword?: string;
  /** A new link that signs in to `admin` once; undefined if the account is disabled. */
  oneTimeLink(): string | undefined;
}

/** The API server that Argo CD's clients use. All replicas serve. */
export const serverRole: Role<ServerRoleOptions, RunningServerRole> = {
  id: 'server',
  name: 'API server',
  async start(options, { client, log, environment, registry }, signal) {
    const { host = '127.0.0.1', port, tls = false, anyPort, applicationNamespaces = [] } = options;
    const shared = { clock: systemClock, random: systemRandom, log };
    void reportUnsupportedSettings(client, environment.namespace, 'server', log);
    const trust = await followTrust(client, environment.namespace, shared, signal);
    const sources = createSources({
      cacheDir: join(options.cacheDir, 'server-sources'),
      clock: systemClock,
      environment: environment.processes,
      pollMs: 120_000,
      allowLocal: options.allowLocalRepositories,
      trust,
    });
    const forges = createForgeHttp({ clock: systemClock, environment: environment.processes, trust });
    const renders = createRenderPool({ workers: 1 });
    const renderer = await rendererWithPlugins(options, { environment, log }, renders.render);
    const [jq, lua] = [createJq(), createLua()];
    const gpg = createGpg({ dir: join(options.cacheDir, 'server-gnupg'), environment: environment.processes });
    const clusterAccess = {
      inCluster: connectionOver(client, log),
      connect: (config: ClusterConfig) =>
        connectTo(config, { environment: environment.processes, clock: systemClock, log }),
    };
    const serve = (at: number) =>
      startServer({
        client,
        namespace: environment.namespace,
        ...shared,
        host,
        port: at,
        tls,
        version: `v${version()}`,
        applicationNamespaces,
        auditSink: options.auditSink,
        pages: options.pages,
        trustedProxies: options.trustedProxies,
        sources: { reader: sources, renderer, cluster: () => clusterOf(client) },
        generators: { forges, environment: environment.processes },
        clusters: { ...clusterAccess, jq, lua },
        gpg,
        registry,
        clusterAccess,
      });
    const running = await serve(port).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' && anyPort) return serve(0);
      throw error;
    });
    const stopped = new Promise<void>((resolve, reject) => {
      const close = async (): Promise<void> => {
        await running.close();
        sources.close();
        await forges.close();
        await Promise.all([renders.close(), jq.close(), lua.close()]);
        await gpg.close();
      };
      const stop = (): void => void close().then(resolve, reject);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    const { adminPassword } = running;
    return {
      stopped,
      port: running.port,
      oneTimeLink: () => {
        const path = running.oneTimeLink();
        return path === undefined ? undefined : `http://127.0.0.1:${running.port}${path}`;
      },
      ...(adminPassword === undefined ? {} : { adminPassword }),
    };
  },
};

/** The information about the cluster for templates. */
async function clusterOf(client: HttpClient): Promise<{ kubeVersion: string; apiVersions: string[] }> {
  const answer: unknown = JSON.parse((await client.read('/version')).text);
  const { groups } = await new Discovery(client).catalogue();
  const types = groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
  return {
    kubeVersion: textAt(answer, 'gitVersion').replace(/\+.*$/u, ''),
    apiVersions: [...new Set(types.flatMap((type) => [apiVersionOf(type), `${apiVersionOf(type)}/${type.kind}`]))],
  };
}
