import type { Json, JsonObject, KubeObject } from '@fairlead/apimachinery';
import { type Answer, openTarget, type Target } from '../target.ts';

export const namespace = 'rec';

/** A server to create objects on, which finds the endpoint of each kind and removes the objects of a case. */
export interface Workbench {
  call(method: string, path: string, body?: Json, contentType?: string): Promise<Reply>;
  /** The endpoint for creating objects of this kind. */
  collection(object: { apiVersion: string; kind: string }): Promise<string>;
  /** Creates an object that a case needs; its status, if any, is written through `/status`. */
  give(object: JsonObject, withStatus: boolean): Promise<void>;
  /** Marks an object to be removed after the case. */
  made(object: Json): void;
  cleanUp(): Promise<void>;
  close(): Promise<void>;
}

export interface Reply {
  readonly code: number;
  readonly body: Json;
  readonly warnings: readonly string[];
}

export async function openWorkbench(kubeconfig: string | undefined): Promise<Workbench> {
  const target = await openTarget(kubeconfig, { token: 'tok', serviceAccountAdmission: true });
  const bench = new Bench(target);
  await bench.prepare();
  return bench;
}

interface Served {
  readonly prefix: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

class Bench implements Workbench {
  readonly #target: Target;
  readonly #served = new Map<string, Served>();
  #made: KubeObject[] = [];

  constructor(target: Target) {
    this.#target = target;
  }

  async prepare(): Promise<void> {
    await this.call('POST', '/api/v1/namespaces', object('Namespace', namespace));
    await this.call('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, object('ServiceAccount', 'default'));
  }

  async call(method: string, path: string, body?: Json, contentType = 'application/json'): Promise<Reply> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await this.#target.send({
      method,
      path,
      headers: {
        authorization: `Bearer ${this.#target.token}`,
        accept: 'application/json',
        ...(text === undefined
          ? {}
          : { 'content-type': contentType, 'content-length': String(Buffer.byteLength(text)) }),
      },
      ...(text === undefined ? {} : { body: text }),
    });
    return { code: answer.status, body: parsed(answer), warnings: answer.rawWarnings.map(warningText) };
  }

  async collection({ apiVersion, kind }: { apiVersion: string; kind: string }): Promise<string> {
    const { prefix, plural, namespaced } = await this.#serving(apiVersion, kind);
    return namespaced ? `${prefix}/namespaces/${namespace}/${plural}` : `${prefix}/${plural}`;
  }

  async give(given: JsonObject, withStatus: boolean): Promise<void> {
    const path = await this.collection(given as unknown as KubeObject);
    const reply = await this.call('POST', path, given);
    if (reply.code !== 201) throw new Error(`given ${given['kind']}: ${reply.code} ${JSON.stringify(reply.body)}`);
    this.made(reply.body);
    const { status } = given;
    if (!withStatus || status === undefined) return;
    const stored = reply.body as unknown as KubeObject;
    const body = { ...(reply.body as JsonObject), status };
    const written = await this.call('PUT', `${path}/${stored.metadata.name}/status`, body);
    if (written.code !== 200) throw new Error(`status of ${given['kind']}: ${JSON.stringify(written.body)}`);
  }

  made(made: Json): void {
    const { kind, metadata } = made as unknown as KubeObject;
    if (kind !== 'Status' && metadata?.name) this.#made.push(made as unknown as KubeObject);
  }

  async cleanUp(): Promise<void> {
    for (const made of this.#made.reverse()) await this.#remove(made);
    this.#made = [];
  }

  async #remove({ apiVersion, kind, metadata }: KubeObject): Promise<void> {
    const path = `${await this.collection({ apiVersion, kind })}/${metadata.name}`;
    await this.call('DELETE', `${path}?gracePeriodSeconds=0`);
    const left = await this.call('GET', path);
    if (left.code === 404) return;
    const without = { metadata: { finalizers: null } };
    await this.call('PATCH', path, without, 'application/merge-patch+json');
    if (kind !== 'Namespace') return;
    const body = { ...(left.body as JsonObject), spec: { finalizers: [] } };
    await this.call('PUT', `${path}/finalize`, body);
  }

  async close(): Promise<void> {
    await this.#target.close();
  }

  async #serving(apiVersion: string, kind: string): Promise<Served> {
    const key = `${apiVersion}/${kind}`;
    const known = this.#served.get(key);
    if (known) return known;
    const prefix = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const list = (await this.call('GET', prefix)).body as { resources?: Record<string, unknown>[] };
    for (const resource of list.resources ?? []) {
      const plural = String(resource['name']);
      if (plural.includes('/')) continue;
      const served = { prefix, plural, namespaced: resource['namespaced'] === true };
      this.#served.set(`${apiVersion}/${String(resource['kind'])}`, served);
    }
    const found = this.#served.get(key);
    if (!found) throw new Error(`${key} is not served`);
    return found;
  }
}

const object = (kind: string, name: string): Json => ({ apiVersion: 'v1', kind, metadata: { name } });

function parsed(answer: Answer): Json {
  try {
    return JSON.parse(answer.text) as Json;
  } catch {
    return answer.text;
  }
}

/** `299 - "text"`, unescaped. */
function warningText(header: string): string {
  const quoted = /^299 \S+ "(.*)"$/s.exec(header)?.[1] ?? header;
  return quoted.replace(/\\(.)/gs, '$1');
}
