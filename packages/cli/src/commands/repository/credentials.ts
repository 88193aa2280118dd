import { readFileSync } from 'node:fs';
import { type JsonObject, messageOf } from '@fairlead/apimachinery';
import { readNumber } from '../../applications/operations/sync-operation.ts';
import { CliError } from '../../cli-error.ts';
import type { Call } from '../../command-line/command.ts';
import type { repocredsAdd } from '../../command-line/specs/repository.ts';

type CredentialCall = Pick<Call<typeof repocredsAdd.flags>, 'flags' | 'terminal'>;

/** Flags whose value is in a file, and the field that it is stored in. */
const files = {
  'ssh-private-key-path': 'sshPrivateKey',
  'tls-client-cert-path': 'tlsClientCertData',
  'tls-client-cert-key-path': 'tlsClientCertKey',
  'github-app-private-key-path': 'githubAppPrivateKey',
  'gcp-service-account-key-path': 'gcpServiceAccountKey',
} as const;

/** Flags whose value is stored as it is. */
const texts = {
  username: 'username',
  'bearer-token': 'bearerToken',
  'github-app-enterprise-base-url': 'githubAppEnterpriseBaseUrl',
  type: 'type',
  proxy: 'proxy',
  'no-proxy': 'noProxy',
} as const;

const numbers = { 'github-app-id': 'githubAppID', 'github-app-installation-id': 'githubAppInstallationID' } as const;

const switches = {
  'force-http-basic-auth': 'forceHttpBasicAuth',
  'use-azure-workload-identity': 'useAzureWorkloadIdentity',
  'enable-oci': 'enableOCI',
} as const;

/** The fields of a repository, or of credentials, that flags name. A password that is missing is asked for. */
export async function credentialsFrom({ flags, terminal }: CredentialCall): Promise<JsonObject> {
  const fields: JsonObject = {};
  for (const flag of keysOf(files)) {
    const path = flags[flag];
    if (path !== undefined) fields[files[flag]] = readFile(flag, path);
  }
  for (const flag of keysOf(texts)) {
    const text = flags[flag];
    if (text !== undefined) fields[texts[flag]] = text;
  }
  for (const flag of keysOf(numbers)) {
    const text = flags[flag];
    if (text !== undefined) fields[numbers[flag]] = readNumber(flag, text);
  }
  for (const flag of keysOf(switches)) if (flags[flag]) fields[switches[flag]] = true;
  if (flags['password-stdin']) fields['password'] = (await terminal.readInput()).replace(/\r?\n$/u, '');
  else if (flags.password !== undefined) fields['password'] = flags.password;
  else if (flags.username !== undefined) {
    const password = await terminal.askSecret(`Password of ${flags.username}: `);
    if (password === undefined)
      throw new CliError('cannot ask for the password without a terminal: add --password-stdin');
    fields['password'] = password;
  }
  return fields;
}

const keysOf = <K extends string>(table: Readonly<Record<K, string>>): K[] => {
  const keys: K[] = [];
  for (const key in table) keys.push(key);
  return keys;
};

function readFile(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError(`--${flag} ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
