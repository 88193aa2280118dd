import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RecordedAnswer } from './recorded-case.ts';

/** Answers as the recorded forge or plugin did: the first entry that matches a request. */
export interface FakeForge {
  readonly url: string;
  answers: readonly RecordedAnswer[];
  close(): Promise<void>;
}

export async function startForge(): Promise<FakeForge> {
  const server = createServer((request, response) => {
    request.resume();
    const found = forge.answers.find((answer) => isFor(answer, request));
    const body = found ? found.body : { message: '404 Not Found' };
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    const headers = { 'content-type': 'application/json', ...found?.headers };
    response.writeHead(found ? (found.status ?? 200) : 404, replaced(headers, forge.url));
    response.end(text.replaceAll('$FORGE', forge.url));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const forge: FakeForge = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return forge;
}

function isFor(answer: RecordedAnswer, request: IncomingMessage): boolean {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const given = new URLSearchParams(query);
  return (
    (answer.method ?? 'GET') === request.method &&
    answer.path === path &&
    Object.entries(answer.query ?? {}).every(([key, value]) => given.get(key) === value) &&
    Object.entries(answer.requestHeaders ?? {}).every(([name, value]) => request.headers[name.toLowerCase()] === value)
  );
}

const replaced = (headers: Readonly<Record<string, string>>, url: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll('$FORGE', url)]));
