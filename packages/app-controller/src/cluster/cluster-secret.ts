import { isJsonObject, type JsonObject, messageOf, type Secret, textAt } from '@fairlead/apimachinery';
import type { ExecConfig, TlsOptions } from '@fairlead/kube';
import { type CloudLogin, cloudLogin, isK8sAuth } from './cloud/cloud-login.ts';

/** How to reach a cluster, from its Secret. */
export interface ClusterConfig {
  readonly name: string;
  readonly server: string;
  /** Only these are watched and deployed to; all when empty. */
  readonly namespaces: readonly string[];
  readonly clusterResources: boolean;
  /** Only Applications of this project may use it; any when empty. */
  readonly project: string;
  readonly tls: TlsOptions;
  readonly token?: string;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly certificate?: { readonly cert: string; readonly key: string };
  readonly exec?: ExecConfig;
  readonly cloud?: CloudLogin;
  /** `namespace/name`, for messages. */
  readonly secret?: string;
  readonly proxyUrl?: string;
}

/** The cluster that a Secret describes. If it is invalid, the name and server as far as they can be read, and the reason. */
export interface ReadSecret {
  readonly secret: string;
  readonly name: string;
  readonly server: string;
  /** The number of the shard that works on its Applications; any by default. */
  readonly shard?: number;
  readonly config?: ClusterConfig;
  /** Contains the Secret, the field and the remedy. */
  readonly problem?: string;
}

export function readClusterSecret(secret: Secret): ReadSecret {
  const key = `${secret.metadata.namespace}/${secret.metadata.name}`;
  const text = (field: string): string => {
    const encoded = secret.data?.[field];
    return encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8').trim();
  };
  const server = text('server').replace(/\/+$/u, '');
  const name = text('name') || server;
  try {
    if (server === '') throw new Problem('server', 'is missing: write the URL of the API server, https://…');
    checkAddress('server', server);
    const config = parseConfig(text('config'));
    const list = text('namespaces');
    const shared = {
      name,
      server,
      namespaces:
        list === ''
          ? []
          : [
              ...new Set(
                list
                  .split(',')
                  .map((one) => one.trim())
                  .filter(Boolean),
              ),
            ],
      clusterResources: text('clusterResources') === 'true',
      project: text('project'),
      secret: key,
    };
    const shard = shardOf(text('shard'));
    return {
      secret: key,
      name,
      server,
      ...(shard === undefined ? {} : { shard }),
      config: { ...shared, ...accessOf(config) },
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { secret: key, name, server, problem: `Secret ${key}: ${error.field} ${error.message}` };
  }
}

function shardOf(text: string): number | undefined {
  if (text === '') return undefined;
  if (!/^\d{1,6}$/u.test(text)) throw new Problem('shard', `must be a whole number from 0, not ${text}`);
  return Number(text);
}

class Problem extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

function checkAddress(field: string, text: string): void {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new Problem(field, `'${text}' is not a URL: write https://host:port`);
}

function parseConfig(text: string): JsonObject {
  if (text === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Problem('config', `is not valid JSON: ${messageOf(error)}`);
  }
  if (!isJsonObject(parsed))
    throw new Problem('config', 'must be a JSON object: write {"bearerToken": "…", "tlsClientConfig": {…}}');
  return parsed;
}

type Access = Omit<ClusterConfig, 'name' | 'server' | 'namespaces' | 'clusterResources' | 'project' | 'secret'>;

function accessOf(config: JsonObject): Access {
  const tls = section(config, 'tlsClientConfig');
  const [cert, key] = [pem(tls, 'certData'), pem(tls, 'keyData')];
  if ((cert === undefined) !== (key === undefined)) {
    throw new Problem(
      `config.tlsClientConfig.${cert === undefined ? 'certData' : 'keyData'}`,
      'is missing: a client certificate needs its key, and a key its certificate',
    );
  }
  const ca = pem(tls, 'caData');
  const insecure = tls['insecure'] === true;
  if (insecure && ca !== undefined)
    throw new Problem('config.tlsClientConfig.caData', 'has no effect because insecure is true: remove one of them');
  const serverName = textAt(tls, 'serverName');
  const [token, username, proxyUrl] = [
    textAt(config, 'bearerToken'),
    textAt(config, 'username'),
    textAt(config, 'proxyUrl'),
  ];
  if (proxyUrl !== '') checkAddress('config.proxyUrl', proxyUrl);
  return {
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(insecure ? { insecure } : {}),
      ...(serverName === '' ? {} : { serverName }),
    },
    ...(token === '' ? {} : { token }),
    ...(username === '' ? {} : { basic: { username, password: textAt(config, 'password') } }),
    ...(cert !== undefined && key !== undefined ? { certificate: { cert, key } } : {}),
    ...programOf(config),
    ...(proxyUrl === '' ? {} : { proxyUrl }),
  };
}

/** `awsAuthConfig` takes precedence, as in Argo CD. */
function programOf(config: JsonObject): Pick<Access, 'exec' | 'cloud'> {
  if (config['awsAuthConfig']) {
    const aws = section(config, 'awsAuthConfig');
    const [clusterName, roleArn, profile] = [
      textAt(aws, 'clusterName'),
      textAt(aws, 'roleARN'),
      textAt(aws, 'profile'),
    ];
    if (clusterName === '')
      throw new Problem('config.awsAuthConfig.clusterName', 'is missing: write the name of the EKS cluster');
    return { cloud: { kind: 'aws', clusterName, roleArn, profile, env: {} } };
  }
  if (!config['execProviderConfig']) return {};
  const exec = execOf(section(config, 'execProviderConfig'));
  if (!isK8sAuth(exec)) return { exec };
  const cloud = cloudLogin(exec);
  if ('problem' in cloud) throw new Problem('config.execProviderConfig.args', cloud.problem);
  return { cloud };
}

function section(config: JsonObject, name: string): JsonObject {
  const value = config[name] ?? {};
  if (!isJsonObject(value)) throw new Problem(`config.${name}`, 'must be a JSON object');
  return value;
}

/** Base64 of PEM, as kubeconfig files have it. */
function pem(tls: JsonObject, name: string): string | undefined {
  const text = textAt(tls, name);
  if (text === '') return undefined;
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  if (decoded.includes('-----BEGIN ')) return decoded;
  const how = text.includes('-----BEGIN ')
    ? 'is PEM without base64: encode it with base64 -w0'
    : 'is not base64-encoded PEM';
  throw new Problem(`config.tlsClientConfig.${name}`, how);
}

function execOf(config: JsonObject): ExecConfig {
  const field = 'config.execProviderConfig';
  const [command, apiVersion, installHint] = [
    textAt(config, 'command'),
    textAt(config, 'apiVersion'),
    textAt(config, 'installHint'),
  ];
  if (command === '') throw new Problem(`${field}.command`, 'is missing: write the program that prints credentials');
  const { args = [], env = {} } = config;
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
    throw new Problem(`${field}.args`, 'must be a list of strings');
  if (!isJsonObject(env)) throw new Problem(`${field}.env`, 'must be a map of strings');
  return {
    command,
    args,
    env: Object.entries(env).map(([name, value]) => ({ name, value: String(value) })),
    apiVersion: apiVersion || 'client.authentication.k8s.io/v1beta1',
    interactiveMode: 'Never',
    ...(installHint === '' ? {} : { installHint }),
    ...(config['provideClusterInfo'] === true ? { provideClusterInfo: true } : {}),
  };
}
