import { KustomizeError } from '../kustomize-error.ts';
import * as build from './annotations.ts';
import { mergeData } from './merge-data.ts';
import { effectiveNamespace, idText, type ResId, sameId } from './res-id.ts';
import type { Resource, StringMap } from './resource.ts';

/** Equal ids have equal keys. */
export const idKey = (id: ResId): string => `${id.group}|${id.version}|${id.kind}|${effectiveNamespace(id)}|${id.name}`;

/** Bases that are used many times under different names could otherwise grow without bound. */
const maxResources = 50_000;

/** The objects of a build in the order in which they were added. Current ids are unique. */
export class ResMap {
  resources: Resource[] = [];

  append(resource: Resource): void {
    this.appendAll([resource]);
  }

  /** The ids in use, for several calls of `appendAll` between which no id changes. */
  takenIds(): Set<string> {
    return new Set(this.resources.map(({ id }) => idKey(id)));
  }

  appendAll(resources: readonly Resource[], taken = this.takenIds()): void {
    if (this.resources.length + resources.length > maxResources)
      throw new KustomizeError(`the build has more than ${maxResources} objects`, 'TooLarge');
    for (const resource of resources) {
      const { id } = resource;
      if (taken.has(idKey(id)))
        throw new KustomizeError(`may not add resource with an already registered id: ${idText(id)}`);
      taken.add(idKey(id));
      this.resources.push(resource);
    }
  }

  /** Adds a generator's objects, which may merge with or replace existing ones. */
  absorb(resource: Resource): void {
    const { id } = resource;
    const behavior = resource.annotation(build.generatorBehavior) ?? 'unspecified';
    const matches = this.byAnyId((it) => sameId(id, it));
    const [old] = matches;
    if (!old) {
      if (behavior === 'merge' || behavior === 'replace')
        throw new KustomizeError(`id ${idText(id)} does not exist; cannot merge or replace`);
      return this.append(resource);
    }
    if (matches.length > 1) throw new KustomizeError(`found multiple objects that could accept merge of ${idText(id)}`);
    if (behavior !== 'merge' && behavior !== 'replace')
      throw new KustomizeError(
        `id ${idText(id)} exists; can not use behavior: '${behavior}', behavior must be merge or replace`,
      );
    const origin = old.annotation(build.origin);
    copyMetadata(resource, old);
    if (behavior === 'merge') {
      mergeData(resource, old);
      if (origin !== undefined) resource.annotations = resource.annotations.set(build.origin, origin);
    }
    const at = this.resources.findIndex((it) => sameId(resource.id, it.id));
    if (at !== this.resources.indexOf(old)) throw new KustomizeError('unexpected target index in replacement');
    this.resources[at] = resource;
  }

  byAnyId(matches: (id: ResId) => boolean): Resource[] {
    return this.resources.filter((resource) => !resource.isGone && resource.allIds.some(matches));
  }

  /** The object that has or had this id. */
  byId(id: ResId): Resource {
    const [found, second] = this.byAnyId((it) => sameId(id, it));
    if (found && !second) return found;
    const count = found ? 'multiple matches' : 'no matches';
    throw new KustomizeError(`${count} for Id ${idText(id)}; failed to find unique target for patch ${idText(id)}`);
  }

  dropEmpty(): void {
    this.resources = this.resources.filter((resource) => !resource.isGone);
  }
}

/** Copies the metadata of an object to the generated object that replaces it. */
export function copyMetadata(resource: Resource, other: Resource): void {
  resource.labels = merged(other.labels, resource.labels);
  const own = resource.annotations;
  const annotations = merged(other.annotations, own);
  for (const name of build.buildAnnotations) {
    const value = other.annotations.get(name);
    if (value === undefined) annotations.delete(name);
    else annotations.set(name, value);
  }
  if (!own.has(build.needsHashSuffix)) annotations.delete(build.needsHashSuffix);
  resource.annotations = annotations;
  resource.name = other.name;
  resource.namespace = other.namespace;
  resource.refVarNames = [...other.refVarNames];
}

const merged = (...maps: StringMap[]): StringMap => new Map(maps.flatMap((map) => [...map]));
