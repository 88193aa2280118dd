import { createHmac } from 'node:crypto';
import { isNotFound, isObject, type Json, type JsonObject, stringsAt } from '@fairlead/apimachinery';
import { sleep, systemClock } from '@fairlead/kube';
import type { ApiCase, As, Step } from './api-case.ts';
import { compareValues, type Difference, pointer } from './compare.ts';
import { isDefect, isImproved, withoutDifferences } from './difference-rules.ts';
import { sentNumbers } from './huge-numbers.ts';
import { type Installation, namespace } from './installation.ts';
import { fillIn, nameAgain } from './placeholders.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
}

export interface StepProblem {
  readonly step: number;
  readonly what: string;
  readonly differences: readonly Difference[];
}

/** Runs the steps of a case, and returns those whose answer differs. */
export async function runCase(one: ApiCase, installation: Installation): Promise<StepProblem[]> {
  const problems: StepProblem[] = [];
  for (const [i, step] of one.exchanges.entries()) {
    const prefix = `/steps/${i}`;
    const unordered = new Set(
      (one.unordered ?? [])
        .filter((path) => path.startsWith(`${prefix}/`))
        .map((path) => path.slice(prefix.length).replace(/^\/expect/u, '')),
    );
    const { expect: _, ...unchecked } = step;
    const isChecked = !isDefect(step, one.exchanges.slice(0, i));
    const differences = await runStep(isChecked ? step : unchecked, installation, unordered);
    if (differences.length > 0)
      problems.push({
        step: i,
        what: `${step.method ?? ''} ${step.path ?? ''} as ${JSON.stringify(step.as)}`,
        differences,
      });
  }
  return problems;
}

async function runStep(step: Step, installation: Installation, unordered: ReadonlySet<string>): Promise<Difference[]> {
  const { values, client } = installation;
  if (step.sleep !== undefined) await sleep(systemClock, step.sleep * 1_000);
  if (step.push !== undefined && step.commit) await installation.push(step.push, step.commit);
  if (step.settings) {
    await installation.change(step.settings);
    await sleep(systemClock, 300);
  }
  if (step.kube && step.object) {
    const object = fillIn(step.object, values);
    const type = await installation.typeOf(object);
    const key = {
      name: object.metadata.name ?? '',
      ...(type.namespaced ? { namespace: object.metadata.namespace ?? namespace } : {}),
    };
    if (step.kube === 'apply') await installation.apply(object);
    else if (step.kube === 'patch') await client.patch(type, key, 'merge', fillIn(step.patch, values));
    else {
      try {
        await client.delete(type, key);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    await sleep(systemClock, (step.wait ?? 0.5) * 1_000);
  }
  if (step.path === undefined || !step.expect) return [];
  if (step.stream) return runStream(step, installation, unordered);
  const answer = await untilDone(step, installation);
  capture(step, answer, installation);
  return compareAnswer(step, answer, installation, unordered);
}

/** Reads a stream until it has enough events, ends, or the time is over. Other steps run meanwhile. */
async function runStream(
  step: Step,
  installation: Installation,
  unordered: ReadonlySet<string>,
): Promise<Difference[]> {
  const { stream = {}, expect = {} } = step;
  const { headers, body, path, method } = await prepared(step, installation);
  const isEvents = headers['Accept'] === 'text/event-stream';
  const reading = readStream(installation.url, { path, method, headers, body, isEvents }, stream);
  if (stream.during) {
    await sleep(systemClock, 800);
    for (const other of stream.during) await runStep(other, installation, new Set());
  }
  const { status, events, ended } = await reading;
  const kept = stream.keepTypes
    ? events.filter((event) =>
        stream.keepTypes?.includes(String(pointer(isEvents ? pointer(event, '/data') : event, '/result/type'))),
      )
    : events;
  const names = new Map([...installation.values].filter(([name]) => !captured.test(name)));
  const shownEvents = kept.slice(0, stream.events ?? kept.length).map((event) => shown(step, event));
  const actual = nameAgain(shownEvents, names);
  const differences = compareValues(expect.status ?? 200, status, unordered, '/status');
  if (expect.events) {
    differences.push(
      ...compareValues(withoutDifferences([...expect.events]), withoutDifferences(actual), unordered, '/events'),
    );
  }
  if (expect.ended !== undefined) differences.push(...compareValues(expect.ended, ended, unordered, '/ended'));
  return differences;
}

interface StreamRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly isEvents: boolean;
}

async function readStream(
  base: string,
  { path, method, headers, body, isEvents }: StreamRequest,
  { events: count = 1, seconds = 3 }: NonNullable<Step['stream']>,
): Promise<{ status: number; events: Json[]; ended: boolean }> {
  const { request: http } = await import('node:http');
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    let text = '';
    let status = 0;
    const done = (ended: boolean): void => {
      clearTimeout(timer);
      sent.destroy();
      const lines = text.split('\n').filter((line) => (isEvents ? line.startsWith('data: ') : line.trim() !== ''));
      const events = lines.flatMap((line): Json[] => {
        const value = parse(isEvents ? line.slice(6) : line);
        return value === undefined ? [] : [isEvents ? { data: value } : value];
      });
      resolve({ status, events, ended });
    };
    const sent = http({ hostname, port, path, method, headers }, (answer) => {
      status = answer.statusCode ?? 0;
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.split('\n').filter((line) => line.trim() !== '').length >= count) done(false);
      });
      answer.on('end', () => done(true));
      answer.on('error', () => done(false));
    });
    sent.on('error', () => done(false));
    const timer = setTimeout(() => done(false), seconds * 1_000);
    sent.end(body);
  });
}

async function untilDone(step: Step, installation: Installation): Promise<Answer> {
  const deadline = Date.now() + (step.until ? 20_000 : 0);
  for (;;) {
    const answer = await send(step, installation);
    if (!step.until || isDone(step.until, answer) || Date.now() > deadline) {
      if (!step.until?.['settle']) return answer;
      await sleep(systemClock, 600);
      return send(step, installation);
    }
    await sleep(systemClock, 100);
  }
}

function isDone(until: JsonObject, answer: Answer): boolean {
  const { status = 200, ...pointers } = until;
  if (answer.status !== status) return false;
  const body = parse(answer.text);
  return Object.entries(pointers)
    .filter(([path]) => path.startsWith('/'))
    .every(([path, value]) => {
      const found = pointer(body, path);
      const isSet = found !== null && found !== '' && JSON.stringify(found) !== '{}' && JSON.stringify(found) !== '[]';
      return value === '<set>' ? isSet : value === '<unset>' ? !isSet : found === value;
    });
}

async function send(step: Step, installation: Installation): Promise<Answer> {
  const { path, method, headers, body } = await prepared(step, installation);
  return request(installation.url, path, method, headers, body);
}

async function prepared(
  step: Step,
  installation: Installation,
): Promise<{ path: string; method: string; headers: Record<string, string>; body: string | undefined }> {
  const { values } = installation;
  const method = step.method ?? 'GET';
  const body =
    step.body === undefined ? fillIn(step.bodyText, values) : sentNumbers(JSON.stringify(fillIn(step.body, values)));
  const isChange = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
  const headers: Record<string, string> = {
    ...(isChange ? { 'Content-Type': 'application/json' } : {}),
    ...(await credentials(step.as ?? 'none', installation)),
  };
  for (const [name, value] of Object.entries(fillIn(step.headers ?? {}, values))) {
    if (value === null) delete headers[name];
    else headers[name] = value;
  }
  if (step.sign) {
    const { header, prefix, algorithm = 'sha256', secret = '' } = step.sign;
    headers[header] =
      prefix +
      createHmac(algorithm, secret)
        .update(body ?? '')
        .digest('hex');
  }
  return { path: fillIn(step.path ?? '/', values), method, headers, body };
}

async function credentials(as: As, installation: Installation): Promise<Record<string, string>> {
  if (as === 'none') return {};
  if (typeof as === 'string') return { Authorization: `Bearer ${await installation.tokenOf(as)}` };
  const { token, cookie, cookieOf } = fillIn(as, installation.values);
  if (token !== undefined) return { Authorization: `Bearer ${token}` };
  return { Cookie: `argocd.token=${cookie ?? (await installation.tokenOf(cookieOf ?? ''))}` };
}

async function request(
  base: string,
  path: string,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Answer> {
  const { request: http } = await import('node:http');
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = http(
      {
        hostname,
        port,
        path,
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const found = Object.fromEntries(
            Object.entries(answer.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
          );
          resolve({ status: answer.statusCode ?? 0, headers: found, text: Buffer.concat(chunks).toString() });
        });
      },
    );
    sent.on('error', () => resolve({ status: 0, headers: {}, text: '' }));
    sent.end(body);
  });
}

function capture({ capture: names }: Step, answer: Answer, { values }: Installation): void {
  for (const [name, path] of Object.entries(names ?? {})) {
    const found = pointer(parse(answer.text), path);
    if (found !== null) values.set(name, String(found));
  }
}

const parse = (text: string): Json | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Tokens and versions that were captured are masked anyway. */
const captured = /^(?:TOKEN|RV)/u;

function compareAnswer(
  step: Step,
  answer: Answer,
  { values }: Installation,
  unordered: ReadonlySet<string>,
): Difference[] {
  const { expect = {} } = step;
  const names = new Map([...values].filter(([name]) => !captured.test(name)));
  if (isImproved(expect.body) && answer.status > 0 && answer.status < 500) return [];
  const differences: Difference[] = [];
  const add = (path: string, expected: Json | undefined, actual: Json | undefined): void => {
    differences.push(...compareValues(expected, actual, unordered, path));
  };
  if (expect.status !== undefined) add('/status', expect.status, answer.status);
  for (const [name, value] of Object.entries(expect.headers ?? {})) {
    const actual = answer.headers[name];
    const masked = nameAgain(typeof actual === 'string' ? actual : actual === undefined ? null : [...actual], names);
    add(`/headers/${name}`, typeof value === 'string' ? value : [...value], masked);
  }
  if (expect.text !== undefined) add('/text', expect.text, nameAgain(answer.text, names));
  if (expect.body !== undefined) {
    const body = parse(answer.text);
    // Versions are those of the recorded build: only that they are there counts.
    const isVersion = step.path?.startsWith('/api/version') ?? false;
    const expected = isVersion ? present(expect.body) : withoutDifferences(expect.body);
    const actual = body === undefined ? answer.text : nameAgain(shown(step, body), names);
    add('/body', expected, withoutDifferences(actual));
  }
  for (const [path, claims] of Object.entries(expect.claims ?? {})) {
    const token = pointer(parse(answer.text), path);
    add(`/claims${path}`, claims, claimsOf(String(token)));
  }
  return differences;
}

const present = (body: Json): Json =>
  isObject(body) ? Object.fromEntries(Object.keys(body).map((key) => [key, '<value>'])) : body;

function shown({ pick, keysOf, operations }: Step, body: Json): Json {
  if (pick) return Object.fromEntries(pick.map((path) => [path, pointer(body, path)]));
  if (keysOf !== undefined) {
    const at = pointer(body, keysOf);
    return isObject(at) ? Object.keys(at).sort() : [];
  }
  return operations ? operationsOf(body) : body;
}

function operationsOf(body: Json): string[] {
  const paths = isObject(body) && isObject(body['paths']) ? body['paths'] : {};
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(isObject(methods) ? methods : {}).map(([method, operation]) => {
        const { operationId = '' } = stringsAt(operation);
        const parameters = (
          isObject(operation) && Array.isArray(operation['parameters']) ? operation['parameters'] : []
        ).map((each) => {
          const { in: place = '', name = '' } = stringsAt(each);
          return `${place}:${name}`;
        });
        return `${method.toUpperCase()} ${path} ${operationId} (${parameters.sort().join(', ')})`;
      }),
    )
    .sort();
}

export function claimsOf(token: string): Json {
  const claims: JsonObject = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}');
  const { exp, iat } = claims;
  return typeof exp === 'number' && typeof iat === 'number' ? { ...claims, exp: `iat+${exp - iat}` } : claims;
}
