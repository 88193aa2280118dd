import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command } from '@fairlead/cli/testing';
import { freePort } from '@fairlead/source/testing';
import type { ClusterProcessOptions } from './cluster-process.ts';
import type { ProcessSpec } from './measured-process.ts';

export const registryName = 'registry.soak.local';

export async function clusterSpec(name: string, dir: string, kubeconfig: string): Promise<ProcessSpec> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const options: ClusterProcessOptions = {
    dataDir: join(dir, name),
    kubeconfig,
    port,
    metricsPort,
    token: `soak-${name}`,
  };
  const program = fileURLToPath(new URL('./cluster-process.ts', import.meta.url));
  return { name, args: [program, JSON.stringify(options)], ready: 'ready', metricsPort };
}

export async function controllerSpec(
  name: string,
  dir: string,
  kubeconfig: string,
  more: readonly string[],
): Promise<ProcessSpec> {
  const metricsPort = await freePort();
  const cache = join(dir, `${name}-cache`);
  const flags = ['--cache-dir', cache, '--repo-poll', '10s', '--metrics-port', String(metricsPort), ...more];
  return { name, args: [command, 'controller', ...flags, '--kubeconfig', kubeconfig], ready: 'working', metricsPort };
}

export async function serviceSpec(dir: string, kubeconfig: string, databaseUrl: string): Promise<ProcessSpec> {
  const metricsPort = await freePort();
  const place = ['--cache-dir', join(dir, 'service-cache'), '--metrics-port', String(metricsPort)];
  // The repositories of the tenants are on loopback.
  const allowed = ['--refuse-hosts', 'none', '--allow-networks', '*'];
  return {
    name: 'service',
    args: [command, 'service', ...place, ...allowed, '--kubeconfig', kubeconfig],
    env: { DATABASE_URL: databaseUrl },
    ready: 'agent is running',
    metricsPort,
  };
}

export async function principalSpec(dir: string, kubeconfig: string, port: number): Promise<ProcessSpec> {
  const metricsPort = await freePort();
  const place = ['--host', '127.0.0.1', '--port', String(port), '--name', '127.0.0.1'];
  const kept = ['--outbox-dir', join(dir, 'principal-outbox'), '--status-port', String(metricsPort)];
  return {
    name: 'principal',
    args: [command, 'principal', ...place, ...kept, '--kubeconfig', kubeconfig],
    ready: 'ready',
    metricsPort,
  };
}

export async function agentSpec(dir: string, kubeconfig: string, principal: string): Promise<ProcessSpec> {
  const metricsPort = await freePort();
  const flags = ['--principal', principal, '--outbox-dir', join(dir, 'agent-outbox')];
  return {
    name: 'agent',
    args: [command, 'agent', 'run', ...flags, '--status-port', String(metricsPort), '--kubeconfig', kubeconfig],
    ready: 'ready',
    metricsPort,
  };
}

export async function imagesSpec(dir: string, kubeconfig: string, registryUrl: string): Promise<ProcessSpec> {
  const metricsPort = await freePort();
  const conf = join(dir, 'registries.conf');
  mkdirSync(dir, { recursive: true });
  writeFileSync(
    conf,
    `registries:\n- name: soak\n  prefix: ${registryName}\n  api_url: ${registryUrl}\n  ping: no\n  limit: 0\n`,
  );
  const flags = [
    '--mode',
    'continuous',
    '--interval',
    '10s',
    '--registries-conf',
    conf,
    '--data-dir',
    join(dir, 'images'),
  ];
  return {
    name: 'images',
    args: [command, 'image', 'run', ...flags, '--status-port', String(metricsPort), '--kubeconfig', kubeconfig],
    ready: 'image updater is running',
    metricsPort,
  };
}

export async function prepullSpec(kubeconfig: string): Promise<ProcessSpec> {
  const metricsPort = await freePort();
  const flags = ['--lease-namespace', 'argocd', '--metrics-port', String(metricsPort)];
  return {
    name: 'prepull',
    args: [command, 'prepull', 'controller', ...flags, '--kubeconfig', kubeconfig],
    ready: 'leader',
    metricsPort,
  };
}
