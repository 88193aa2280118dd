import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pagesFolder } from '@fairlead/ui';
import { auditSink } from '../audit-sink.ts';
import type { Handler } from '../command-line/command.ts';
import type { server } from '../command-line/specs/server.ts';
import { inNamespace } from '../environment.ts';
import { install } from '../install.ts';
import { readPort } from '../options.ts';
import { roles } from '../roles/index.ts';
import { roleRun, runRoles } from '../roles/run-role.ts';
import { runUntilStopped } from '../roles/run-until-stopped.ts';

/** `fairlead server` */
export const run: Handler<typeof server> = async (call) => {
  const { flags, terminal } = call;
  const environment = inNamespace(call.environment, flags.namespace);
  const port = readPort(flags.port) ?? 8080;
  const metricsPort = readPort(flags['metrics-port']);
  const host = flags.host === undefined ? {} : { host: flags.host };
  const namespaces = flags['application-namespaces'] ?? [];
  return runUntilStopped(call, async (client, signal) => {
    await install(client, { own: false, signal, namespace: environment.namespace });
    terminal.write('API server: press Ctrl-C to stop\n');
    const cacheDir = flags['cache-dir'] ?? join(tmpdir(), 'fairlead-cache');
    const tls = !flags.insecure;
    const pages = await pagesFolder((line) => terminal.write(`${line}\n`));
    const options = {
      ...host,
      port,
      cacheDir,
      ...(flags.plugins === undefined ? {} : { plugins: flags.plugins }),
      tls,
      pages,
      allowLocalRepositories: false,
      applicationNamespaces: namespaces,
      auditSink: auditSink(flags['audit-log'], (text) => terminal.write(text)),
      trustedProxies: flags['trusted-proxies'] ?? [],
    };
    const run = roleRun(roles.server, options, ({ port: served, adminPassword }) =>
      [
        `serving on ${tls ? 'https' : 'http'}://${flags.host ?? '127.0.0.1'}:${served}`,
        ...(adminPassword === undefined ? [] : ['the password of admin is in Secret argocd-initial-admin-secret']),
      ].join('; '),
    );
    const status = metricsPort === undefined ? undefined : { ...host, port: metricsPort };
    await runRoles([run], { client, environment, terminal, status }, signal);
  });
};
