import { posix } from 'node:path';
import type { Application, ApplicationSource, ApplicationSpec } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import { overrideFilePrefix, type WriteBack } from '../config/write-back.ts';

export type SourceType = 'Helm' | 'Kustomize' | 'Plugin' | 'Directory';
export type ApplicationType = 'Helm' | 'Kustomize' | 'Plugin' | 'Unsupported';

type Written = Pick<WriteBack, 'method' | 'target' | 'kustomizeBase'>;
type Sourced = Pick<Application, 'spec' | 'status'>;

/** The type of the source that is written to: from the target, otherwise as detected by the controller. */
export function sourceTypeOf({ spec, status }: Sourced, writeBack: Written | undefined): SourceType {
  if (writeBack?.kustomizeBase) return 'Kustomize';
  if (writeBack && isValuesFile(writeBack.target)) return 'Helm';
  if ((spec.sources ?? []).length > 0) {
    return (status?.sourceTypes ?? []).map(readSourceType).find((type) => type !== 'Directory') ?? 'Directory';
  }
  const dry = spec.sourceHydrator?.drySource;
  if (dry?.helm) return 'Helm';
  if (dry?.kustomize) return 'Kustomize';
  if (dry?.plugin) return 'Plugin';
  return readSourceType(status?.sourceType);
}

const readSourceType = (text: string | undefined): SourceType =>
  text === 'Helm' || text === 'Kustomize' || text === 'Plugin' ? text : 'Directory';

/** A YAML file other than a parameters file. */
export const isValuesFile = (target: string): boolean =>
  /\.ya?ml$/u.test(target) && !posix.basename(target).startsWith(overrideFilePrefix);

/** For a plugin with write-back to Git, Helm parameters are written: plugins read such files. */
export function applicationTypeOf(application: Sourced, writeBack: Written | undefined): ApplicationType {
  const type = sourceTypeOf(application, writeBack);
  if (type === 'Plugin') return writeBack?.method === 'git' ? 'Helm' : 'Plugin';
  return type === 'Directory' ? 'Unsupported' : type;
}

/** One source and its location in the spec. */
export interface SourceAtLocation {
  readonly source: ApplicationSource;
  readonly location: 'source' | 'drySource' | { readonly index: number };
}

/** The source that images are written to. */
export function sourceOf(application: Sourced, writeBack: Written | undefined): SourceAtLocation | undefined {
  const { spec, status } = application;
  const sources = spec.sources ?? [];
  if (sources.length > 0) {
    const index = indexOf(sources, sourceTypeOf(application, writeBack), status?.sourceTypes ?? []);
    return { source: elementAt(sources, index), location: { index } };
  }
  if (spec.sourceHydrator) return { source: { ...spec.sourceHydrator.drySource }, location: 'drySource' };
  return spec.source && { source: spec.source, location: 'source' };
}

const fieldOf = { Helm: 'helm', Kustomize: 'kustomize', Plugin: 'plugin' } as const;

/** In this order: the first with this type set, the first detected with it, the first with any type, the first. */
function indexOf(sources: readonly ApplicationSource[], type: SourceType, found: readonly string[]): number {
  const says = type === 'Directory' ? -1 : sources.findIndex((source) => source[fieldOf[type]]);
  if (says >= 0) return says;
  const was = type !== 'Directory' && found.length === sources.length ? found.indexOf(type) : -1;
  if (was >= 0) return was;
  const any = sources.findIndex(({ helm, kustomize, plugin }) => helm ?? kustomize ?? plugin);
  return Math.max(any, 0);
}

/** The spec with one source replaced. */
export function withSource(spec: ApplicationSpec, { source, location }: SourceAtLocation): ApplicationSpec {
  if (location === 'source') return { ...spec, source };
  if (location === 'drySource') {
    const { repoURL, targetRevision = '', path = '', directory, helm, kustomize, plugin } = source;
    const drySource = {
      repoURL,
      targetRevision,
      path,
      ...(directory ? { directory } : {}),
      ...(helm ? { helm } : {}),
      ...(kustomize ? { kustomize } : {}),
      ...(plugin ? { plugin } : {}),
    };
    return { ...spec, sourceHydrator: { ...spec.sourceHydrator!, drySource } };
  }
  return { ...spec, sources: (spec.sources ?? []).map((old, i) => (i === location.index ? source : old)) };
}

/** The default branch to write to: the revision of the source with the repository. */
export function branchOf(application: Sourced, repository: string, writeBack: Written | undefined): string {
  const matching =
    repository === '' ? undefined : (application.spec.sources ?? []).find(({ repoURL }) => repoURL === repository);
  return (matching ?? sourceOf(application, writeBack)?.source)?.targetRevision ?? '';
}
