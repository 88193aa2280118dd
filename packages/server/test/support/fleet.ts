import assert from 'node:assert/strict';
import { type Application, applicationKind } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import { application, namespace, type TestServer } from './test-server.ts';

export const base = '/api/fairlead/v1';

export interface FleetAnswer<T> {
  readonly status: number;
  readonly body: T & { readonly message?: string };
}

/** Sends a request to the fleet API. */
export async function ask<T>(
  server: Pick<TestServer, 'port'>,
  token: string,
  path: string,
  body?: object,
): Promise<FleetAnswer<T>> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${base}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

/** The answer to a request that succeeds. */
export async function read<T>(server: Pick<TestServer, 'port'>, token: string, path: string): Promise<T> {
  const { status, body } = await ask<T>(server, token, path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

export interface AppOptions {
  readonly project?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly sync?: string;
  readonly health?: string;
}

/** An Application with a status. */
export function appWith(name: string, { project = 'default', labels = {}, sync, health }: AppOptions = {}) {
  const made = application(name, project);
  return {
    ...made,
    metadata: { ...made.metadata, labels },
    status: {
      sync: { status: sync ?? 'Synced', revision: 'a'.repeat(40) },
      health: { status: health ?? 'Healthy' },
      reconciledAt: '2026-01-01T00:00:00Z',
    },
  };
}

export const setStatus = (client: ApiClient, name: string, status: object): Promise<Application> =>
  client.patch<Application>(applicationKind.type, { namespace, name }, 'merge', { status });

/** Waits until a condition holds. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let attempt = 0; !(await holds()); attempt++) {
    if (attempt > 600) throw new Error('the condition did not become true within 30 seconds');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
