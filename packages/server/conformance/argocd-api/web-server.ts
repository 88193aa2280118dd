import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { startGitServer } from '@fairlead/source/git-server';
import { indexOf, packChart } from '@fairlead/source/testing';

/** The small web server of the recordings: repositories at `/git` and `/auth`, charts at `/charts` and `/auth-charts`. */
export interface WebServer {
  readonly host: string;
  close(): Promise<void>;
}

const credentials = `Basic ${Buffer.from('robot:robot-pass').toString('base64')}`;

/** `root` is the folder of bare repositories; `/git/ID/NAME.git` is its folder NAME, whatever ID is. */
export async function startWebServer(root: string): Promise<WebServer> {
  const git = await startGitServer({ root, environment: process.env });
  const files = chartFiles();
  const server = createServer((request, response) => {
    const [, area = '', rest = ''] = /^\/([^/]+)\/(.*)$/u.exec(request.url ?? '') ?? [];
    const needsPassword = area.startsWith('auth');
    if (needsPassword && request.headers.authorization !== credentials) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('authentication required\n');
    } else if (area === 'git' || area === 'auth') toGit(git.url, rest, request, response);
    else {
      const file = area === 'charts' || area === 'auth-charts' ? files.get(rest) : undefined;
      response.writeHead(file ? 200 : 404).end(file ?? 'not found\n');
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${portOf(server)}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await git.close();
    },
  };
}

function toGit(url: string, rest: string, request: IncomingMessage, response: ServerResponse): void {
  const path = rest.replace(/^[^/]+\/(.*?)(?:\.git)?(?=\/info|\/git-|$)/u, '$1');
  const { authorization: _, ...headers } = request.headers;
  const sent = forward(`${url}/${path}`, { method: request.method ?? 'GET', headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  request.pipe(sent);
}

const charts: readonly (readonly [name: string, version: string, appVersion: string])[] = [
  ['box', '1.2.0', '2'],
  ['box', '1.1.0', '1'],
  ['box', '1.0.0', '1'],
  ['box', '2.0.0-rc1', '3'],
  ['lamp', '0.1.0', '0'],
];

function chartFiles(): ReadonlyMap<string, Uint8Array | string> {
  const files = new Map<string, Uint8Array | string>();
  const index: Record<string, { version: string; url: string; digest: string }[]> = {};
  for (const [name, version, appVersion] of charts) {
    const { archive, digest } = packChart(name, version, {
      'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\nappVersion: "${appVersion}"\ndescription: A ${name}\nhome: https://charts.example.com/${name}\nmaintainers:\n- name: Ann\n  email: ann@example.com\n`,
      'values.yaml': 'size: small\nlabels: {}\n',
      'templates/configmap.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-${name}\ndata:\n  size: {{ .Values.size }}\n  version: {{ .Chart.Version | quote }}\n`,
    });
    const url = `${name}-${version}.tgz`;
    files.set(url, archive);
    (index[name] ??= []).push({ version, url, digest });
  }
  return files.set('index.yaml', indexOf(index));
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
