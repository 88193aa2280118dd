import { type Application, applicationKind, appProjectKind } from '@fairlead/api';
import { apiVersionOf, find, type JsonObject, type KubeObject, namespaceType } from '@fairlead/apimachinery';
import type { Drift, ObjectReference, Scenario, Step } from './case.ts';
import { controlPlaneNamespace, type RunningController } from './controller.ts';
import { observeApplication } from './observe-application.ts';
import { observeLive } from './observe-live.ts';
import { fillIn, mask, nameAgain, type Placeholders } from './placeholders.ts';
import type { Repository } from './repository.ts';
import {
  isOperating,
  readApplication,
  refresh,
  untilAtRest,
  untilCompared,
  untilDeleted,
  untilOperationEnds,
  type Watched,
} from './settle.ts';
import { type Target, typeOf } from './target.ts';

const manager = 'rec';
const finalizer = 'resources-finalizer.argocd.argoproj.io';
const finalizers = { default: finalizer, background: `${finalizer}/background`, foreground: `${finalizer}/foreground` };

/** One scenario on a cluster: its steps in order, each with an observation. */
export class ScenarioRun {
  readonly #scenario: Scenario;
  readonly #target: Target;
  readonly #controller: RunningController;
  readonly #repository: Repository;
  readonly #names: { readonly namespace: string; readonly app: string; readonly project: string };

  constructor(
    scenario: Scenario,
    parts: { readonly target: Target; readonly controller: RunningController; readonly repository: Repository },
    id: string,
  ) {
    this.#scenario = scenario;
    this.#target = parts.target;
    this.#controller = parts.controller;
    this.#repository = parts.repository;
    this.#names = { namespace: `ns-${id}`, app: `app-${id}`, project: `project-${id}` };
  }

  get #placeholders(): Placeholders {
    const { namespace, app, project } = this.#names;
    return new Map([
      ['$NS', namespace],
      ['$APP', app],
      ['$PROJECT', project],
      ['$REPO', this.#repository.url],
      ...[...this.#repository.commits].flatMap(([number, sha]): [string, string][] => [
        [`$COMMIT${number}`, sha],
        [`$SHORTCOMMIT${number}`, sha.slice(0, 7)],
      ]),
    ]);
  }

  get #watched(): Watched {
    return { target: this.#target, controller: this.#controller, key: this.#applicationKey };
  }

  get #applicationKey() {
    return { namespace: controlPlaneNamespace, name: this.#fill(this.#scenario.application.metadata.name) };
  }

  get scenario(): Scenario {
    return this.#scenario;
  }

  get target(): Target {
    return this.#target;
  }

  application(): Promise<Application | undefined> {
    return readApplication(this.#watched);
  }

  /** The value with the placeholders of the recording in place of the values of this run. */
  masked(value: JsonObject): JsonObject {
    return mask(value, this.#placeholders) as JsonObject;
  }

  /** The same without masking nondeterministic values. */
  named(value: JsonObject): JsonObject {
    return nameAgain(value, this.#placeholders) as JsonObject;
  }

  /** The value with the values of this run in place of the placeholders. */
  filled<T>(value: T): T {
    return this.#fill(value);
  }

  #fill<T>(value: T): T {
    return fillIn(value, this.#placeholders);
  }

  /** Creates the initial objects. */
  async prepare(): Promise<void> {
    const { project, before = [], namespaces = [], namespacesAbsent, namespace } = this.#scenario;
    const { client } = this.#target;
    if (project) await client.create(appProjectKind.type, this.#fill(project), { fieldManager: manager });
    const made = [...(namespace === false ? [] : ['$NS']), ...(namespacesAbsent ? [] : namespaces)];
    for (const name of made) {
      const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.#fill(name) } };
      await client.create(namespaceType, object, { fieldManager: manager });
    }
    await this.#push(0);
    for (const object of before) await this.#create(this.#fill(object));
    await this.#target.pass(1_000);
  }

  /** Runs a step and waits until everything has settled. */
  async step(step: Step): Promise<void> {
    await this.#carryOut(step);
    const { progressMs } = this.#scenario;
    const { health, resources = [] } = (await this.application())?.status ?? {};
    if (progressMs === undefined || health?.status === 'Healthy') return;
    // What is Missing stays so; everything else may still make progress.
    if (resources.some((one) => one.health && one.health.status !== 'Healthy' && one.health.status !== 'Missing'))
      await untilAtRest(this.#watched, progressMs);
  }

  async #carryOut(step: Step): Promise<void> {
    const watched = this.#watched;
    await this.#act(this.#fill(step));
    if (step.do === 'deleteApplication') {
      await untilDeleted(watched, step.deleting ?? false);
      return this.#target.pass(3_000);
    }
    if (step.do === 'create') await untilCompared(watched);
    await untilOperationEnds(watched, step.running ?? false);
    if (step.refresh === false) return untilAtRest(watched);
    const automated = (await readApplication(watched))?.spec.syncPolicy?.automated !== undefined;
    for (let left = automated ? 2 : 1; left > 0; left -= 1) {
      await refresh(watched);
      if (await isOperating(watched)) {
        await untilOperationEnds(watched, step.running ?? false);
        await untilAtRest(watched);
      }
    }
  }

  /** The state in the form of the recording, with its placeholders. */
  async observe(): Promise<JsonObject> {
    let live = await this.#live();
    const end = this.#target.clock.now() + deletionMs;
    while (live.some(isBeingDeleted) && this.#target.clock.now() < end) {
      await untilAtRest(this.#watched);
      live = await this.#live();
    }
    return this.masked({ ...observeApplication(await this.application()), live });
  }

  #live(): Promise<JsonObject[]> {
    const { namespaces = [], observe = [], observeManagers = false } = this.#scenario;
    return observeLive(this.#target, {
      namespaces: ['$NS', ...namespaces].map((name) => this.#fill(name)),
      others: this.#fill(observe),
      managers: observeManagers,
    });
  }

  async #act(step: Step): Promise<void> {
    const { client } = this.#target;
    switch (step.do) {
      case 'create':
        await client.create(applicationKind.type, this.#fill(this.#scenario.application), { fieldManager: manager });
        return;
      case 'refresh':
        return refresh(this.#watched, step.type);
      case 'sync':
        return this.#patchApplication({ operation: step.operation });
      case 'terminate':
        return this.#patchApplication({ status: { operationState: { phase: 'Terminating' } } });
      case 'commit':
        return this.#push(step.n);
      case 'object':
        return this.#create(step.object);
      case 'patch': {
        const { target, patch, type = 'merge', subresource } = step;
        await client.patch(await typeOf(this.#target, target), keyOf(target), type, patch, {
          fieldManager: step.manager ?? manager,
          ...(type === 'apply' ? { force: true } : {}),
          ...(subresource ? { subresource } : {}),
        });
        return;
      }
      case 'delete': {
        const type = await typeOf(this.#target, step.target);
        await client.delete(type, keyOf(step.target), { propagationPolicy: 'Background' });
        return;
      }
      case 'drift':
        for (const drift of step.patches) await this.#drift(drift);
        return;
      case 'patchApplication':
        return this.#patchApplication(step.patch);
      case 'patchProject': {
        const key = { namespace: controlPlaneNamespace, name: this.#names.project };
        await client.patch(appProjectKind.type, key, 'merge', step.patch, { fieldManager: manager });
        return;
      }
      case 'deleteApplication':
        return this.#deleteApplication(step.cascade);
      case 'wait':
        return this.#target.pass(step.seconds * 1_000);
    }
  }

  async #drift({ target: { group = '', kind, namespace, name }, patchType, patch }: Drift): Promise<void> {
    const { client } = this.#target;
    const type = (await this.#target.kinds()).find((one) => one.group === group && one.kind === kind);
    if (!type) throw new Error(`the cluster does not serve ${kind} of the group "${group}"`);
    const key = { ...(namespace ? { namespace } : {}), name };
    if (patchType === 'delete') await client.delete(type, key, { propagationPolicy: 'Background' });
    else await client.patch(type, key, patchType, patch, { fieldManager: 'drift' });
  }

  async #deleteApplication(cascade: keyof typeof finalizers | null): Promise<void> {
    const { client } = this.#target;
    if (cascade !== null) {
      const { metadata } = await client.get<Application>(applicationKind.type, this.#applicationKey);
      await this.#patchApplication({
        metadata: { finalizers: [...(metadata.finalizers ?? []), finalizers[cascade]] },
      });
    }
    await client.delete(applicationKind.type, this.#applicationKey, { propagationPolicy: 'Background' });
  }

  async #patchApplication(body: object): Promise<void> {
    const { client } = this.#target;
    await client.patch(applicationKind.type, this.#applicationKey, 'merge', body, { fieldManager: manager });
  }

  #push(number: number): Promise<void> {
    const files = this.#scenario.commits[number];
    if (!files) throw new Error(`the scenario has no commit ${number}`);
    return this.#target.track(() => this.#repository.push(number, this.#fill(files)));
  }

  async #create(object: KubeObject): Promise<void> {
    await this.#target.client.create(await typeOf(this.#target, object), object, { fieldManager: manager });
  }

  /** The controller has no more work for this scenario. */
  async removeApplications(): Promise<void> {
    const { client } = this.#target;
    const { application, otherApplications = [] } = this.#scenario;
    for (const name of [application.metadata.name, ...otherApplications]) {
      const key = { namespace: controlPlaneNamespace, name: this.#fill(name) };
      await find(client.patch(applicationKind.type, key, 'merge', { operation: null, metadata: { finalizers: null } }));
      await find(client.delete(applicationKind.type, key));
    }
    if (!this.#scenario.project) return;
    await find(client.delete(appProjectKind.type, { namespace: controlPlaneNamespace, name: this.#names.project }));
  }

  /** Cleans up on a shared cluster. */
  async removeObjects(): Promise<void> {
    const { client } = this.#target;
    const { namespaces = [], observe = [], before = [] } = this.#scenario;
    const made = before.map(({ apiVersion, kind, metadata }) => ({ apiVersion, kind, ...metadata }));
    for (const { apiVersion, kind, namespace, name } of this.#fill([...observe, ...made])) {
      if (namespace) continue;
      const kinds = await this.#target.kinds();
      const type = kinds.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
      if (type) await find(client.delete(type, { name }));
    }
    for (const name of this.#fill(['$NS', ...namespaces])) await find(client.delete(namespaceType, { name }));
  }
}

/** A real cluster takes this long to delete a namespace. */
const deletionMs = 30_000;

/** Its deletion has started, and no finalizer keeps the object: the recording shows what is left after it. */
const isBeingDeleted = ({ deleting, finalizers }: JsonObject): boolean => deleting === true && finalizers === undefined;

const keyOf = ({ namespace, name }: ObjectReference) => ({ ...(namespace ? { namespace } : {}), name });
