import { createHash } from 'node:crypto';
import { type Application, applicationKind } from '@fairlead/api';
import { find, must, namespaceType } from '@fairlead/apimachinery';
import { inClusterServer } from '../../src/cluster/clusters.ts';
import { controlPlaneNamespace, type RunningController } from '../harness/controller.ts';
import {
  readApplication,
  refresh,
  untilCompared,
  untilDeleted,
  untilOperationEnds,
  type Watched,
} from '../harness/settle.ts';
import type { Target } from '../harness/target.ts';
import type { StableCase } from './cases.ts';

export const repoURL = 'https://git.example/stable';

/** The Application of a case, as a user handles it. */
export class CaseApplication {
  readonly #case: StableCase;
  readonly #watched: Watched;

  constructor(theCase: StableCase, target: Target, controller: RunningController) {
    this.#case = theCase;
    this.#watched = { target, controller, key: this.#key };
  }

  /** Creates it without automated sync; returns it with the result of the first comparison. */
  async create(): Promise<Application> {
    const { source, namespace } = this.#case;
    await this.#watched.target.client.create<Application>(applicationKind.type, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { ...this.#key, finalizers: ['resources-finalizer.argocd.argoproj.io'] },
      spec: {
        project: 'default',
        source: { repoURL, ...source },
        destination: { server: inClusterServer, namespace },
        syncPolicy: { syncOptions: this.#syncOptions },
      },
    });
    await untilCompared(this.#watched);
    return this.get();
  }

  /** Refreshes it, the target state included, and returns the result. */
  async refresh(): Promise<Application> {
    await refresh(this.#watched, 'hard');
    return this.get();
  }

  /** Syncs it, and returns it when the operation has ended. */
  async sync(): Promise<Application> {
    await this.#patch({ operation: { sync: { syncOptions: this.#syncOptions } } });
    await untilOperationEnds(this.#watched, false);
    return this.get();
  }

  async automate(): Promise<void> {
    await this.#patch({ spec: { syncPolicy: { automated: { prune: true, selfHeal: true } } } });
  }

  async get(): Promise<Application> {
    return must(await readApplication(this.#watched), 'the Application');
  }

  /** Deletes it with its objects, and the namespaces that it used: objects that charts keep are in them. */
  async delete(): Promise<void> {
    const { spec, status } = await this.get();
    await this.#watched.target.client.delete(applicationKind.type, this.#key);
    await untilDeleted(this.#watched, false);
    const namespaces = [spec.destination.namespace, ...(status?.resources ?? []).map(({ namespace }) => namespace)];
    await deleteNamespaces(this.#watched.target, new Set(namespaces));
  }

  get #key(): { readonly namespace: string; readonly name: string } {
    return { namespace: controlPlaneNamespace, name: nameOf(this.#case) };
  }

  get #syncOptions(): string[] {
    return ['CreateNamespace=true', ...this.#case.syncOptions];
  }

  async #patch(body: object): Promise<void> {
    await this.#watched.target.client.patch(applicationKind.type, this.#key, 'merge', body);
  }
}

/** Unique per case, so that remaining objects of one case are not compared with another. */
const nameOf = ({ group, name }: StableCase): string =>
  `stable-${createHash('sha256').update(`${group}/${name}`).digest('hex').slice(0, 8)}`;

async function deleteNamespaces(target: Target, names: ReadonlySet<string | undefined>): Promise<void> {
  for (const name of names) {
    if (!name || name === 'default' || name.startsWith('kube-')) continue;
    await find(target.destination.delete(namespaceType, { name }));
    while (await find(target.destination.get(namespaceType, { name }))) await target.pass(200);
  }
}
