import type { ResourceResult } from '@fairlead/api';
import { at, isJsonObject, type KubeObject, listAt, must } from '@fairlead/apimachinery';
import {
  groupOf,
  idKey,
  type ResourceId,
  type SyncTask,
  type TaskPhase,
  type TaskResult,
  versionOf,
} from '@fairlead/engine';

/** Beyond this many results, only failures are reported in full. */
const fullResults = 1_000;

function shortened(result: ResourceResult): ResourceResult {
  const { message: _, images: __, ...short } = result;
  return isNotable(result) ? result : short;
}

const isNotable = ({ status, hookPhase, hookType }: ResourceResult): boolean =>
  status === 'SyncFailed' || hookPhase === 'Failed' || hookPhase === 'Error' || Boolean(hookType);

/** The results that are kept when a sync has ended: first failures and hooks, then others up to the limit. */
export function keptResults(results: readonly ResourceResult[]): ResourceResult[] {
  if (results.length <= fullResults) return [...results];
  const chosen = new Set(
    [...results.filter(isNotable), ...results.filter((one) => !isNotable(one))].slice(0, fullResults),
  );
  return results.filter((one) => chosen.has(one));
}

type Key = Pick<SyncTask, 'id' | 'phase'>;
const keyOf = ({ id, phase }: Key): string => `${idKey(id)} ${phase}`;

/** The results of a sync so far, one entry per task, in order: stored in the Application between passes. */
export class SyncResults {
  readonly #byTask: Map<string, ResourceResult>;
  readonly #namespace: string;

  /** `namespace` is that of the destination: as in Argo CD, objects without a namespace are listed in it. */
  constructor(results: readonly ResourceResult[] = [], namespace = '') {
    this.#namespace = namespace;
    this.#byTask = new Map(results.map((result) => [keyOf({ id: idOf(result), phase: phaseOf(result) }), result]));
  }

  get isEmpty(): boolean {
    return this.#byTask.size === 0;
  }

  /** With very many results, successful ones are shortened: an API object has a size limit. */
  get all(): ResourceResult[] {
    const results = [...this.#byTask.values()];
    return results.length <= fullResults ? results : results.map(shortened);
  }

  of(task: SyncTask): TaskResult | undefined {
    const result = this.#byTask.get(this.#keyOf(task));
    if (!result) return undefined;
    const { status = '', hookPhase = '', message = '' } = result;
    return {
      status: status as TaskResult['status'],
      ...(hookPhase === '' ? {} : { phase: hookPhase as TaskPhase }),
      message,
    };
  }

  set(task: SyncTask, { status, phase, message }: TaskResult): void {
    const { id, hook } = task;
    const object = must(task.target ?? task.live, 'the object of a task');
    const images = imagesOf(object);
    this.#byTask.set(this.#keyOf(task), {
      group: groupOf(object.apiVersion),
      version: versionOf(object.apiVersion),
      kind: id.kind,
      namespace: this.#namespaceOf(task),
      name: id.name,
      status,
      message,
      ...(hook ? { hookType: task.phase } : {}),
      ...(phase ? { hookPhase: phase } : {}),
      syncPhase: task.phase,
      ...(images.length > 0 ? { images } : {}),
    });
  }

  #keyOf(task: SyncTask): string {
    return keyOf({ id: { ...task.id, namespace: this.#namespaceOf(task) }, phase: task.phase });
  }

  #namespaceOf(task: SyncTask): string {
    return task.id.namespace || task.action === 'prune' || this.#isDestination(task)
      ? task.id.namespace
      : this.#namespace;
  }

  /** The namespace that the sync itself creates. */
  #isDestination({ id, phase, hook }: SyncTask): boolean {
    return id.kind === 'Namespace' && id.group === '' && id.name === this.#namespace && phase === 'PreSync' && !hook;
  }
}

export const idOf = ({ group, kind, namespace, name }: ResourceResult): ResourceId => ({
  group,
  kind,
  namespace,
  name,
});

const phaseOf = ({ syncPhase }: ResourceResult): SyncTask['phase'] => (syncPhase ?? 'Sync') as SyncTask['phase'];

/** The images of the containers of a workload. */
function imagesOf(object: KubeObject): string[] {
  const paths = [
    ['spec', 'containers'],
    ['spec', 'template', 'spec', 'containers'],
    ['spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers'],
  ];
  const containers = paths.map((path) => listAt(object, ...path)).find((list) => list.length > 0) ?? [];
  return containers.flatMap((container) => {
    const image = isJsonObject(container) ? at(container, 'image') : undefined;
    return typeof image === 'string' ? [image] : [];
  });
}
