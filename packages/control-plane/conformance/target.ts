import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parse } from 'yaml';
import { type ControlPlaneOptions, startControlPlane } from '../src/index.ts';

/** A server that cases are replayed against: the embedded one, or a real one named by a kubeconfig. */
export interface Target {
  readonly url: string;
  readonly token: string;
  readonly ca?: string;
  readonly real: boolean;
  send(ask: Ask): Promise<Answer>;
  close(): Promise<void>;
}

export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
  /** Called when the response headers have arrived: a watch has started. */
  onHead?(): void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawWarnings: readonly string[];
  readonly text: string;
}

export async function openTarget(kubeconfig: string | undefined, options: ControlPlaneOptions): Promise<Target> {
  if (kubeconfig) return realTarget(kubeconfig);
  const server = await startControlPlane(options);
  const agent = new Agent({ keepAlive: true, ca: server.ca });
  return {
    url: server.url,
    token: server.token,
    ca: server.ca,
    real: false,
    send: (ask) => send(server.url, agent, ask),
    async close() {
      agent.destroy();
      await server.close();
    },
  };
}

function realTarget(path: string): Target {
  const config = parse(readFileSync(path, 'utf8')) as {
    clusters: { cluster: { server: string; 'certificate-authority-data'?: string } }[];
    users: { user: { token?: string; 'client-certificate-data'?: string; 'client-key-data'?: string } }[];
  };
  const { server, ...cluster } = config.clusters[0]!.cluster;
  const { user } = config.users[0]!;
  const decode = (text: string | undefined) => (text ? Buffer.from(text, 'base64').toString() : undefined);
  const ca = decode(cluster['certificate-authority-data']);
  const cert = decode(user['client-certificate-data']);
  const key = decode(user['client-key-data']);
  const agent = new Agent({
    keepAlive: true,
    ...(ca ? { ca } : { rejectUnauthorized: false }),
    ...(cert && key ? { cert, key } : {}),
  });
  return {
    url: server,
    token: user.token ?? '',
    ...(ca ? { ca } : {}),
    real: true,
    send: (ask) => send(server, agent, ask),
    close: async () => agent.destroy(),
  };
}

function send(url: string, agent: Agent, ask: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const call = request(
      { agent, hostname, port, method: ask.method, path: ask.path.replaceAll(' ', '%20'), headers: ask.headers },
      (answer) => {
        ask.onHead?.();
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            rawWarnings: warningsOf(answer.rawHeaders),
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    call.on('error', reject);
    call.end(ask.body);
  });
}

function warningsOf(raw: readonly string[]): string[] {
  const warnings: string[] = [];
  for (let at = 0; at < raw.length; at += 2) if (raw[at]!.toLowerCase() === 'warning') warnings.push(raw[at + 1]!);
  return warnings;
}
