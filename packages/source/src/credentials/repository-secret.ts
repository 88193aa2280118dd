import type { StoredCredentials } from './credentials-for.ts';
import { identityOf } from './tokens/identity.ts';

const typeLabel = 'argocd.argoproj.io/secret-type';

/** The part of a Secret that is read. */
export interface RepositorySecret {
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  /** In base64. */
  readonly data?: Readonly<Record<string, string>>;
}

/** The types of Secrets whose credentials are for reading, and for writing. */
const kinds = {
  read: { repository: 'repository', 'repo-creds': 'repo-creds' },
  write: { 'repository-write': 'repository', 'repo-write-creds': 'repo-creds' },
} as const;

/**
 * The credentials in a Secret that is labelled as a repository or as a template of credentials, for reading or for writing; undefined for any
 * other.
 */
export function readRepositorySecret(
  { metadata, data = {} }: RepositorySecret,
  purpose: keyof typeof kinds = 'read',
): StoredCredentials | undefined {
  const label = metadata.labels?.[typeLabel];
  const kind = Object.entries(kinds[purpose]).find(([name]) => name === label)?.[1];
  if (kind === undefined) return undefined;
  const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString();
  const url = text('url').trim();
  if (url === '') return undefined;
  const flag = (...keys: string[]): boolean | undefined =>
    keys.some((key) => text(key).trim().toLowerCase() === 'true') || undefined;
  const cert = text('tlsClientCertData');
  const key = text('tlsClientCertKey');
  const { namespace = '', name = '' } = metadata;
  return {
    kind,
    url,
    name: `${namespace}/${name}`,
    ...present({
      secret: namespace === '' ? '' : `${namespace}/${name}`,
      title: text('name').trim(),
      project: text('project').trim(),
      username: text('username').trim(),
      password: text('password').replace(/[\r\n]+$/u, ''),
      bearerToken: text('bearerToken').trim(),
      sshPrivateKey: text('sshPrivateKey'),
      proxy: text('proxy').trim(),
      noProxy: text('noProxy').trim(),
      insecure: flag('insecure'),
      insecureIgnoreHostKey: flag('insecureIgnoreHostKey', 'insecure'),
      forceBasicAuth: flag('forceHttpBasicAuth'),
      plainHttp: flag('insecureOCIForceHttp'),
      lfs: flag('enableLfs'),
    }),
    ...(cert && key ? { clientCertificate: { cert, key } } : {}),
    ...present({ identity: identityOf(text) }),
  };
}

/** The object without empty and undefined fields. */
function present<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const result: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in value) {
    const field = value[key];
    if (isPresent(field)) result[key] = field;
  }
  return result;
}

const isPresent = <T>(value: T): value is Exclude<T, undefined> => value !== undefined && value !== '';
