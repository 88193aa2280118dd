import { execFile } from 'node:child_process';
import { messageOf } from '@fairlead/apimachinery';
import { type Clock, systemClock } from '../clock.ts';
import type { CredentialSource, Credentials } from './credentials.ts';
import type { ExecConfig } from './kubeconfig-file.ts';

/** Runs a command to completion and returns its output. */
export type RunCommand = (command: string, args: readonly string[], env: Record<string, string>) => Promise<string>;

export interface ExecOptions {
  /** The cluster information for a plugin with `provideClusterInfo`. */
  readonly cluster?: Record<string, unknown>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly run?: RunCommand;
  readonly clock?: Clock;
}

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
/** Credentials that expire this soon are not used. */
const leewayMs = 10_000;

/**
 * Credentials from a command, by the ExecCredential protocol. They are cached until they expire or are rejected; concurrent requests share
 * one run of the command.
 */
export function execCredentials(config: ExecConfig, options: ExecOptions): CredentialSource {
  const { clock = systemClock, run = runCommand } = options;
  let held: { credentials: Credentials; until: number } | undefined;
  let running: Promise<Credentials> | undefined;
  const obtain = async (): Promise<Credentials> => {
    const { credentials, expires } = await ask(config, options, run);
    held = { credentials, until: expires ?? Number.POSITIVE_INFINITY };
    return credentials;
  };
  return {
    async get() {
      if (held && held.until - leewayMs > clock.now()) return held.credentials;
      running ??= obtain().finally(() => {
        running = undefined;
      });
      return running;
    },
    refused() {
      held = undefined;
    },
  };
}

async function ask(config: ExecConfig, options: ExecOptions, run: RunCommand) {
  const { command, apiVersion = '', args, interactiveMode } = config;
  if (!command) throw new Error('the exec section of the kubeconfig names no command');
  if (!versions.includes(apiVersion)) {
    throw new Error(`exec plugin ${command}: apiVersion '${apiVersion}' is not one of ${versions.join(', ')}`);
  }
  if (interactiveMode === 'Always') {
    throw new Error(`exec plugin ${command} needs a terminal (interactiveMode: Always), and there is none here`);
  }
  const spec = {
    interactive: false,
    ...(config.provideClusterInfo && options.cluster ? { cluster: options.cluster } : {}),
  };
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.env)) if (value !== undefined) env[name] = value;
  for (const { name, value } of config.env ?? []) env[name] = value;
  env['KUBERNETES_EXEC_INFO'] = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
  try {
    return parseExecCredential(await run(command, args ?? [], env), apiVersion);
  } catch (error) {
    const hint = config.installHint ? `\n${config.installHint.trim()}` : '';
    throw new Error(`exec plugin ${command}: ${messageOf(error)}${hint}`, { cause: error });
  }
}

interface ExecCredential {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  };
}

function parseExecCredential(text: string, apiVersion: string): { credentials: Credentials; expires?: number } {
  let answer: ExecCredential | null;
  try {
    answer = JSON.parse(text) as ExecCredential | null;
  } catch {
    throw new Error('its output is not JSON');
  }
  if (answer?.kind !== 'ExecCredential') throw new Error('its output is not an ExecCredential');
  if (answer.apiVersion !== apiVersion) {
    throw new Error(`it returned ${answer.apiVersion} instead of ${apiVersion}`);
  }
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = answer.status ?? {};
  if ((cert === undefined) !== (key === undefined))
    throw new Error('it gave a certificate without a key, or a key without one');
  if (!token && !cert) throw new Error('it gave neither a token nor a certificate');
  const expires = expirationTimestamp === undefined ? undefined : Date.parse(expirationTimestamp);
  if (Number.isNaN(expires)) throw new Error(`its expirationTimestamp '${expirationTimestamp}' is not a time`);
  return {
    credentials: { ...(token ? { token } : {}), ...(cert && key ? { certificate: { cert, key } } : {}) },
    ...(expires === undefined ? {} : { expires }),
  };
}

const runCommand: RunCommand = (command, args, env) =>
  new Promise((resolve, reject) => {
    const options = { env, timeout: 60_000, maxBuffer: 1 << 20, windowsHide: true };
    const child = execFile(command, [...args], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      if (error.code === 'ENOENT') return reject(new Error('the command was not found'));
      const said = stderr.trim();
      const how = error.killed ? 'it did not end within 60 s' : `it failed with ${error.code ?? error.signal}`;
      reject(new Error(said === '' ? how : `${how}: ${said}`));
    });
    child.stdin?.end();
  });
