import { setTimeout as wait } from 'node:timers/promises';
import type { Json, JsonObject } from '@fairlead/apimachinery';
import type { Answer, Target } from '../target.ts';
import { Bindings, compare, type Difference, prepare } from './compare.ts';

export interface Case {
  readonly name: string;
  readonly topic: string;
  readonly steps: readonly Step[];
}

interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[] | null>>;
  readonly body?: Json;
  readonly bodyText?: string;
  readonly watch?: boolean;
  readonly bookmarks?: boolean;
  readonly during?: readonly Step[];
  readonly poll?: boolean;
  readonly waitMs?: number;
  readonly pick?: {
    at?: string;
    keys?: string | boolean;
    keysOf?: string;
    without?: string;
    list?: string;
    by?: string;
    in?: string[];
  };
  readonly expect: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string | string[]>>;
    readonly body?: Json;
    readonly text?: string;
    readonly events?: readonly Json[];
  };
}

export interface Outcome {
  readonly sense: boolean;
  readonly exact: boolean;
  readonly detail?: string;
}

/** Runs one conversation in a separate namespace and compares the responses. */
export async function replay(target: Target, test: Case, number: number): Promise<Outcome> {
  const namespace = `case-${number}`;
  const bindings = new Bindings(namespace);
  await call(target, 'POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  let exact = true;
  let detail: string | undefined;
  try {
    for (const [index, step] of test.steps.entries()) {
      const result = await runStep(target, bindings, step, test.topic);
      exact &&= result.exact === undefined;
      if (!result.sense) {
        if (result.exact && !detail) detail = describe(index, step, result.exact, 'wording: ');
        continue;
      }
      return { sense: false, exact: false, detail: describe(index, step, result.sense) };
    }
    return { sense: true, exact, ...(detail ? { detail } : {}) };
  } finally {
    await cleanUp(target, namespace);
  }
}

function describe(index: number, step: Step, difference: Difference, prefix = ''): string {
  const show = (value: unknown) => JSON.stringify(value)?.slice(0, 600);
  return `${prefix}step ${index + 1} ${step.method} ${step.path} at ${difference.at}\n  expected ${show(difference.expected)}\n  actual   ${show(difference.actual)}`;
}

interface StepResult {
  readonly sense: Difference | undefined;
  readonly exact: Difference | undefined;
}

async function runStep(target: Target, bindings: Bindings, step: Step, topic: string): Promise<StepResult> {
  if (step.waitMs) await wait(step.waitMs);
  const until = Date.now() + 10_000;
  for (;;) {
    const answer = await ask(target, bindings, step, topic);
    const result = compareAnswer(bindings, step, answer, topic);
    if (!step.poll || !result.sense || Date.now() > until) return result;
    await wait(50);
  }
}

async function ask(target: Target, bindings: Bindings, step: Step, topic: string): Promise<Answer> {
  const headers: Record<string, string | string[]> = {
    authorization: `Bearer ${target.token}`,
    accept: 'application/json',
    'user-agent': 'replay/1',
  };
  const body =
    step.bodyText !== undefined
      ? bindings.fill(step.bodyText)
      : step.body !== undefined
        ? JSON.stringify(bindings.fillJson(step.body))
        : undefined;
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(Buffer.byteLength(body));
  }
  for (const [name, value] of Object.entries(step.headers ?? {})) {
    if (value === null) delete headers[name];
    else headers[name] = Array.isArray(value) ? value.map((entry) => bindings.fill(entry)) : bindings.fill(value);
  }
  let during: Promise<void> = Promise.resolve();
  const answer = await target.send({
    method: step.method,
    path: bindings.fill(step.path),
    headers,
    ...(body !== undefined ? { body } : {}),
    onHead() {
      if (!step.during) return;
      during = (async () => {
        await wait(100);
        for (const inner of step.during ?? []) await runStep(target, bindings, inner, topic);
      })();
    },
  });
  await during;
  return answer;
}

function compareAnswer(bindings: Bindings, step: Step, answer: Answer, topic: string): StepResult {
  const { expect } = step;
  const fail = (at: string, expected: Json | undefined, actual: Json | undefined): StepResult => {
    const difference = { at, expected, actual };
    return { sense: difference, exact: difference };
  };
  if (answer.status !== expect.status)
    return fail('status', expect.status, `${answer.status} ${answer.text.slice(0, 400)}`);
  const warnings = (expect.headers?.['warning'] as string[] | undefined) ?? [];
  const warned = compare(bindings, [...warnings], [...answer.rawWarnings], true, 'warning');
  if (warned) return fail(warned.at, warned.expected, warned.actual);
  for (const [name, value] of Object.entries(expect.headers ?? {})) {
    if (name === 'warning') continue;
    const actual = answer.headers[name];
    if (typeof actual !== 'string' || !bindings.matches(value as string, actual))
      return fail(`header ${name}`, value as Json, actual as Json);
  }
  const keep = topic === 'apply';
  if (expect.text !== undefined) {
    return bindings.matches(expect.text, answer.text)
      ? { sense: undefined, exact: undefined }
      : fail('text', expect.text, answer.text);
  }
  const expected = expect.events ?? expect.body;
  if (expected === undefined) return { sense: undefined, exact: undefined };
  let actual: Json;
  try {
    actual = expect.events
      ? eventsOf(answer.text, step.bookmarks ?? false)
      : pickOf(JSON.parse(answer.text) as Json, step.pick);
  } catch (error) {
    return fail('body', expected as Json, `${String(error)}: ${answer.text.slice(0, 300)}`);
  }
  const [expectedBody, got] = [prepare(expected as Json, keep), prepare(actual, keep)];
  return { sense: compare(bindings, expectedBody, got, false), exact: compare(bindings, expectedBody, got, true) };
}

/** The lines of a watch; plain bookmarks are omitted, or a run of them kept as one. */
function eventsOf(text: string, bookmarks: boolean): Json[] {
  const events = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonObject);
  return events.filter((event, index) => {
    if (event['type'] !== 'BOOKMARK') return true;
    const metadata = (event['object'] as JsonObject)['metadata'] as JsonObject;
    if (metadata['annotations']) return true;
    return bookmarks && events[index + 1]?.['type'] !== 'BOOKMARK';
  });
}

function pickOf(body: Json, pick: Step['pick']): Json {
  if (!pick) return body;
  if (pick.at !== undefined) return at(body, pick.at) as Json;
  if (pick.keys !== undefined)
    return Object.keys((at(body, pick.keys === true ? '' : String(pick.keys)) as JsonObject) ?? {}).sort();
  if (pick.keysOf !== undefined) {
    return Object.keys((at(body, pick.keysOf) as JsonObject) ?? {})
      .filter((key) => !pick.without || !key.includes(pick.without))
      .sort();
  }
  if (pick.list !== undefined) {
    const items = at(body, pick.list) as JsonObject[];
    return {
      ...(body as JsonObject),
      [pick.list]: items.filter((item) => pick.in!.includes(String(at(item, pick.by!)))),
    };
  }
  return body;
}

function at(value: Json, path: string): Json | undefined {
  let result: Json | undefined = value;
  for (const part of path.split(/[./]/).filter(Boolean)) result = (result as JsonObject | undefined)?.[part];
  return result;
}

async function call(target: Target, method: string, path: string, body?: Json): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return target.send({
    method,
    path,
    headers: {
      authorization: `Bearer ${target.token}`,
      accept: 'application/json',
      ...(text ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) } : {}),
    },
    ...(text ? { body: text } : {}),
  });
}

/** Removes the objects that the case created outside its namespace, by name, and the namespace itself. */
async function cleanUp(target: Target, namespace: string): Promise<void> {
  const outside = [
    '/api/v1/namespaces',
    '/api/v1/nodes',
    '/api/v1/persistentvolumes',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    '/apis/storage.k8s.io/v1/storageclasses',
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    '/apis/networking.k8s.io/v1/ingressclasses',
  ];
  for (const path of outside) {
    const answer = await call(target, 'GET', path);
    if (answer.status !== 200) continue;
    const { items } = JSON.parse(answer.text) as { items: { metadata: { name: string; finalizers?: string[] } }[] };
    for (const { metadata } of items) {
      if (metadata.name !== namespace && !new RegExp(`(^|\\.)${namespace}([-.]|$)`).test(metadata.name)) continue;
      if (metadata.finalizers) await patchAway(target, `${path}/${metadata.name}`);
      await call(target, 'DELETE', `${path}/${metadata.name}`);
      if (path.endsWith('/namespaces')) await finalizeNamespace(target, metadata.name);
    }
  }
}

async function patchAway(target: Target, path: string): Promise<void> {
  const body = '{"metadata":{"finalizers":null}}';
  await target.send({
    method: 'PATCH',
    path,
    body,
    headers: {
      authorization: `Bearer ${target.token}`,
      'content-type': 'application/merge-patch+json',
      'content-length': String(body.length),
    },
  });
}

async function finalizeNamespace(target: Target, name: string): Promise<void> {
  await call(target, 'PUT', `/api/v1/namespaces/${name}/finalize`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
    spec: { finalizers: [] },
  });
}
