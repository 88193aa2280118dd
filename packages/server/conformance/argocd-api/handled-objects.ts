import { type Application, type ApplicationSet, applicationKind, applicationSetKind } from '@fairlead/api';
import { equalJson, type KubeObject, toJson } from '@fairlead/apimachinery';
import { sourcesOf } from '@fairlead/app-controller';
import { type ApiClient, sleep, systemClock } from '@fairlead/kube';

/** How long the controllers have to start with a change. */
const startMs = 500;
const longestMs = 6_000;

/** Waits until controllers have handled the current generation of all Applications and ApplicationSets. */
export class HandledObjects {
  /** Generations that were handled, or were waited for as long as possible. */
  readonly #known = new Set<string>();

  async wait(client: ApiClient): Promise<void> {
    const read = await readAll(client);
    if (read.all.every((object) => this.#known.has(keyOf(object)))) return;
    await sleep(systemClock, startMs);
    const deadline = Date.now() + longestMs;
    for (let now = await readAll(client); ; now = await readAll(client)) {
      const pending = now.all.filter(
        (object) => !this.#known.has(keyOf(object)) && !isHandled(object, now.applications),
      );
      if (pending.length === 0 || Date.now() > deadline) {
        for (const object of now.all) this.#known.add(keyOf(object));
        return;
      }
      await sleep(systemClock, 50);
    }
  }
}

const keyOf = ({ metadata }: KubeObject): string => `${metadata.uid} ${metadata.generation}`;

interface Objects {
  readonly applications: readonly Application[];
  readonly all: readonly (Application | ApplicationSet)[];
}

async function readAll(client: ApiClient): Promise<Objects> {
  const { items: applications } = await client.list<Application>(applicationKind.type, {});
  const { items: sets } = await client.list<ApplicationSet>(applicationSetKind.type, {});
  return { applications, all: [...applications, ...sets] };
}

const isSet = (object: Application | ApplicationSet): object is ApplicationSet => 'generators' in object.spec;

const isHandled = (object: Application | ApplicationSet, applications: readonly Application[]): boolean =>
  isSet(object) ? isReported(object, applications) : isCompared(object);

/** An Application whose source cannot be read has a condition instead. */
function isCompared({ spec, status }: Application): boolean {
  if (status?.conditions?.some(({ type }) => type.endsWith('Error'))) return true;
  const compared = status?.sync?.comparedTo;
  if (!compared || !status.health?.status) return false;
  const sources = [...(compared.source ? [compared.source] : []), ...(compared.sources ?? [])];
  return equalJson(toJson(sources), toJson(sourcesOf(spec)));
}

/** The status of an ApplicationSet names its Applications, which were compared. */
function isReported({ metadata, status }: ApplicationSet, applications: readonly Application[]): boolean {
  const isDone = status?.conditions?.some(
    ({ type, status: is }) => (type === 'ResourcesUpToDate' || type === 'ErrorOccurred') && is === 'True',
  );
  if (!isDone) return false;
  const own = applications.filter((one) => one.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid));
  const names = new Set(status?.resources?.map(({ name }) => name));
  return own.length === names.size && own.every((one) => names.has(one.metadata.name) && isCompared(one));
}
