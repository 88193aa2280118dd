import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Kubectl } from '../../test/support/kubectl/find.ts';
import {
  type KubectlResult,
  kubectlEnvironment,
  type RunningKubectl,
  runKubectl,
  startKubectl,
} from '../../test/support/kubectl/run.ts';
import type { TargetCluster } from '../target-cluster.ts';

/** Runs kubectl in a dedicated namespace. */
export class Session {
  readonly cluster: TargetCluster;
  readonly namespace: string;
  readonly version: string;
  readonly #path: string;
  readonly #folder: string;
  readonly #env: Record<string, string>;

  private constructor(cluster: TargetCluster, kubectl: Kubectl, namespace: string, folder: string, kubeconfig: string) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.version = kubectl.version;
    this.#path = kubectl.path;
    this.#folder = folder;
    this.#env = kubectlEnvironment(folder, kubeconfig);
  }

  static async open(cluster: TargetCluster, kubectl: Kubectl, namespace: string): Promise<Session> {
    const folder = await mkdtemp(join(tmpdir(), 'fairlead-e2e-'));
    const kubeconfig = join(folder, 'kubeconfig');
    const config = parse(cluster.kubeconfig) as { contexts: { context: { namespace?: string } }[] };
    for (const { context } of config.contexts) context.namespace = namespace;
    await writeFile(kubeconfig, stringify(config), { mode: 0o600 });
    const session = new Session(cluster, kubectl, namespace, folder, kubeconfig);
    await session.says(`namespace/${namespace} created`, 'create', 'namespace', namespace);
    return session;
  }

  async close(): Promise<void> {
    await this.run(['delete', 'namespace', this.namespace, '--wait=false']);
    await rm(this.#folder, { recursive: true, force: true });
  }

  run(args: readonly string[], more: { stdin?: string; env?: Record<string, string> } = {}): Promise<KubectlResult> {
    return runKubectl(this.#path, this.#run(args, more));
  }

  start(args: readonly string[]): RunningKubectl {
    return startKubectl(this.#path, this.#run(args, {}));
  }

  /** The output; the command must succeed. */
  async ok(...args: string[]): Promise<string> {
    return succeeded(args, await this.run(args));
  }

  /** It must succeed and print exactly this line. */
  async says(line: string, ...args: string[]): Promise<void> {
    assert.equal((await this.ok(...args)).trimEnd(), line);
  }

  /** The command must fail with this message. */
  async fails(words: RegExp, ...args: string[]): Promise<void> {
    const { exit, stdout, stderr } = await this.run(args);
    assert.notEqual(exit, 0, `kubectl ${args.join(' ')} was to fail, and printed ${stdout}`);
    assert.match(stderr, words);
  }

  /** Feeds it a manifest (`apply -f -`); it must succeed. */
  async feed(manifest: object | readonly object[], ...args: string[]): Promise<string> {
    return succeeded(args, await this.run([...args, '-f', '-'], { stdin: manifestText(manifest) }));
  }

  #run(args: readonly string[], more: { stdin?: string; env?: Record<string, string> }) {
    const { env, ...rest } = more;
    return { args, cwd: this.#folder, env: { ...this.#env, ...env }, timeoutMs: 120_000, ...rest };
  }
}

export const manifestText = (manifest: object | readonly object[]): string =>
  (Array.isArray(manifest) ? manifest : [manifest]).map((each) => stringify(each)).join('---\n');

function succeeded(args: readonly string[], { exit, stdout, stderr }: KubectlResult): string {
  assert.equal(exit, 0, `kubectl ${args.join(' ')} ended with ${exit}\n${stdout}${stderr}`);
  return stdout;
}

/** The checks of one suite of commands, by name. */
export type Scenarios = Readonly<Record<string, (kubectl: Session) => Promise<void>>>;
